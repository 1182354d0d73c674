import { csv, json, text } from './assets/asset.ts';
import type { Asset, AssetsByPath } from './assets/asset.ts';
import { pdf } from './assets/pdf.ts';
import { png } from './assets/png.ts';
import type { ExamplePlan } from './example-plan.ts';

interface DeliveryNote {
  readonly name: string;
  readonly number: string;
  readonly carrier: string;
  readonly consignee: string;
  readonly date: string;
  readonly goods: string;
  readonly pallets: number;
  readonly weightKg: number;
  /** Beside the note itself. */
  readonly input?: AssetsByPath;
  /** Whether the rows are expected as a table too. */
  readonly hasTable?: true;
  /** Nobody has said yet what is expected. */
  readonly isUnlabelled?: true;
  /** Instead of `note.pdf`. */
  readonly document?: string;
}

/** A thumbnail of a scanned page: grey lines on white, the last one short. */
const SCAN = png(40, 56, (x, y) =>
  y % 6 < 2 && x > 4 && x < (y > 44 ? 18 : 35) && y > 4 && y < 50 ? 96 : 250,
);

const NOTES: readonly DeliveryNote[] = [
  {
    name: 'northway-48213',
    hasTable: true,
    number: 'DN-48213',
    carrier: 'Northway',
    consignee: 'Brookside Freight Dock 4',
    date: '2026-03-03',
    goods: 'Ceramic tiles',
    pallets: 12,
    weightKg: 5480,
    input: { 'scans/page-1.png': SCAN },
  },
  {
    name: 'northway-48377 hand-written',
    hasTable: true,
    number: 'DN-48377',
    carrier: 'Northway',
    consignee: 'Brookside Freight Dock 1',
    date: '2026-03-05',
    goods: 'Garden furniture',
    pallets: 7,
    weightKg: 1930,
    input: { 'scans/page-1.png': SCAN, 'remark.txt': text('Date written over the stamp.') },
  },
  {
    name: 'kestrel-9921',
    number: '9921/26',
    carrier: 'Kestrel Haulage',
    consignee: 'Harbour Cold Store',
    date: '2026-03-11',
    goods: 'Frozen fish',
    pallets: 22,
    weightKg: 17600,
  },
  {
    name: 'Müller & Söhne 2217',
    hasTable: true,
    number: 'LS-2217',
    carrier: 'Spedition Müller & Söhne',
    consignee: 'Lager Süd Köln',
    date: '2026-03-12',
    goods: 'Schrauben M8',
    pallets: 3,
    weightKg: 2410,
    document: 'Lieferschein Müller.pdf',
  },
  {
    name: 'returned-pallets-0417',
    number: 'RP-0417',
    carrier: 'Northway',
    consignee: 'Palletpool Depot West',
    date: '2026-03-17',
    goods: 'Empty pallets',
    pallets: 64,
    weightKg: 1600,
  },
  {
    name: 'un1263-dangerous-goods',
    number: 'ADR-1263-08',
    carrier: 'Corvid Chemicals Transport',
    consignee: 'Paintworks Hall 2',
    date: '2026-03-20',
    goods: 'UN 1263 paint class 3',
    pallets: 4,
    weightKg: 3120,
    input: { 'safety/sheet.txt': text('UN 1263, PAINT, 3, II. Keep away from open fire.') },
  },
  {
    name: 'temperature-log-7781',
    number: 'DN-7781',
    carrier: 'Kestrel Haulage',
    consignee: 'Harbour Cold Store',
    date: '2026-03-24',
    goods: 'Vaccines',
    pallets: 1,
    weightKg: 140,
    input: {
      'logger/readings.csv': csv(['time', 'celsius'], ['06:00', 4.1], ['07:00', 4.4], ['08:00', 5]),
    },
  },
  {
    name: 'kestrel-9944 not labelled yet',
    isUnlabelled: true,
    number: '9944/26',
    carrier: 'Kestrel Haulage',
    consignee: 'Harbour Cold Store',
    date: '2026-03-27',
    goods: 'Frozen peas',
    pallets: 18,
    weightKg: 11700,
  },
];

/** The dataset of the delivery note reader. */
export const DELIVERY_NOTE_EXAMPLES: readonly ExamplePlan[] = NOTES.map((note) => {
  const { name, number, carrier, date, pallets, weightKg } = note;
  const document = note.document ?? 'note.pdf';
  const expectedJson = {
    carrier,
    date,
    pallets: { count: pallets },
    weightKg,
    internalReference: number,
  };
  return {
    name,
    input: { [document]: printed(note), ...note.input },
    expected:
      note.isUnlabelled === true
        ? {}
        : { ...table(note), 'reports/summary.json': json(expectedJson) },
    inputJson: { document },
    expectedJson,
    corrected: {
      path: 'pallets.count',
      json: { ...expectedJson, pallets: { count: pallets + 1 } },
    },
  };
});

function table(note: DeliveryNote): AssetsByPath {
  if (note.hasTable === undefined) return {};
  const { number, carrier, date, pallets, weightKg } = note;
  const columns = ['number', 'carrier', 'date', 'pallets', 'weight_kg'];
  return { 'rows.csv': csv(columns, [number, carrier, date, pallets, weightKg]) };
}

function printed(note: DeliveryNote): Asset {
  return pdf(
    `${note.carrier}: delivery note ${note.number}`,
    `Date: ${note.date}`,
    `Consignee: ${note.consignee}`,
    `${note.pallets} pallets of ${note.goods}, ${note.weightKg} kg`,
  );
}
