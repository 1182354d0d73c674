import { csv, json, text } from './assets/asset.ts';
import type { Asset } from './assets/asset.ts';
import { pdf } from './assets/pdf.ts';

export interface FilePlan {
  readonly filename: string;
  readonly asset: Asset;
  /** Absent for a durable file. */
  readonly purpose?: 'run-input' | 'builder-attachment';
  readonly hoursAgo: number;
}

const TERMS = pdf('Terms of carriage', 'Claims are to be made within seven days.');

/** Temporary files are made just now, so that they live for as long as possible. */
export const FILE_PLANS: readonly FilePlan[] = [
  {
    filename: 'rate-sheet-2026.csv',
    asset: csv(
      ['lane', 'pallet_eur', 'transit_days'],
      ['Rotterdam-Milano', 84, 3],
      ['Gdańsk-Malmö', 106, 2],
      ['Valencia-Antwerpen', 147, 4],
    ),
    hoursAgo: 640,
  },
  {
    filename: 'Verladerampe Süd – Hinweise.txt',
    asset: text('Rampe 4 ist montags bis 10 Uhr gesperrt. Anmeldung an der Pforte.'),
    hoursAgo: 300,
  },
  {
    filename: 'carriage-terms.pdf',
    asset: TERMS,
    hoursAgo: 1,
  },
  {
    filename: 'note-to-read.pdf',
    asset: pdf('Northway: delivery note DN-50112', '9 pallets of Glassware, 2210 kg'),
    purpose: 'run-input',
    hoursAgo: 0,
  },
  {
    filename: 'columns.json',
    asset: json({ columns: ['number', 'carrier', 'date', 'pallets'] }),
    purpose: 'builder-attachment',
    hoursAgo: 0,
  },
];

export interface UploadPlan {
  readonly filename: string;
  /** What was declared. */
  readonly declared: Asset;
  /** What has arrived; absent while nothing has. */
  readonly arrived?: Asset;
  readonly purpose?: 'run-input';
  /** Name of the file that completion has made of it; absent while it is under way. */
  readonly becameFile?: string;
}

const MANIFEST = csv(['position', 'goods', 'pallets'], [1, 'Glassware', 9], [2, 'Candles', 2]);

/** One that fits, one that never came, one that is not what was declared, and one that is complete. */
export const UPLOAD_PLANS: readonly UploadPlan[] = [
  { filename: 'manifest-march.csv', declared: MANIFEST, arrived: MANIFEST },
  { filename: 'manifest-april.csv', declared: MANIFEST },
  {
    filename: 'manifest-cut-off.csv',
    declared: MANIFEST,
    arrived: csv(['position', 'goods', 'pallets'], [1, 'Glassware', 9]),
    purpose: 'run-input',
  },
  {
    filename: 'carriage-terms.pdf',
    declared: TERMS,
    arrived: TERMS,
    becameFile: 'carriage-terms.pdf',
  },
];
