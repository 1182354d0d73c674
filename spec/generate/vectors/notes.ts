import type { SignatureVectorNote } from '@hookproof/spec/vectors';

/** The bugs that the flags name. */
export const notes: Readonly<Record<string, SignatureVectorNote>> = {
  BlankInSignature: note(
    'LAX_PARSER',
    'The receiver ignores blanks in the signature, so one signature has many spellings.',
  ),
  ByteOrderMark: note(
    'TEXT_FOR_BYTES',
    'A decoder removes the byte order mark, so the checked or parsed bytes differ from the signed ones.',
  ),
  ControlCharacter: note('INJECTION', 'Control characters in an id reach logs, keys and headers.'),
  DateText: note(
    'LAX_PARSER',
    'The receiver parses the timestamp as a date, although it must be an integer.',
  ),
  DotInId: note(
    'AMBIGUITY',
    'The receiver splits the signed message at dots, so an attacker can move a boundary.',
  ),
  DuplicateKey: note(
    'AMBIGUITY',
    'One parser provides the id that is compared, another the id that is used later.',
  ),
  EarlyEnd: note(
    'TRUNCATION',
    'A NUL ends the string, so the rest is not checked, or the used text differs from the signed one.',
  ),
  EmptyPart: note(
    'MISSING_CHECK',
    'An empty value is treated as absent, or is omitted from the signed message.',
  ),
  HeaderNameCase: note(
    'LOOKUP',
    'A header is found in one letter case only, so deliveries through some proxies are refused or read twice.',
  ),
  HeaderOrder: note(
    'LOOKUP',
    'Headers are identified by their position, or by the beginning of their names.',
  ),
  HexCase: note(
    'LAX_PARSER',
    'Two implementations of one receiver treat the case of hex digits differently.',
  ),
  IdNotCompared: note(
    'MISSING_CHECK',
    'The id in the header is deduplicated but the id in the body is used, so one event can be handled many times.',
  ),
  KeyBytes: note(
    'KEY',
    'Sender and receiver derive different keys from one secret, so every signature fails.',
  ),
  LargeBody: note(
    'TRUNCATION',
    'A body that arrives in several reads is checked only in part, or refused.',
  ),
  LenientNumber: note(
    'LAX_PARSER',
    'A number parser accepts too many spellings, so the checked number can differ from the signed text.',
  ),
  LineBreaks: note('TEXT_FOR_BYTES', 'Line breaks are changed before the signature is checked.'),
  LongDigest: note('COMPARISON', 'Only the beginning of the digest is compared.'),
  MalformedId: note(
    'MISSING_CHECK',
    'Any string is accepted as an id, and becomes a key in stores, logs and paths.',
  ),
  MissingHeader: note(
    'MISSING_CHECK',
    'Without the header, the receiver throws an error, skips the check, or uses the string "undefined".',
  ),
  NoComparison: note(
    'COMPARISON',
    'The digest is not compared, or is compared with a value that an attacker can compute.',
  ),
  NoTolerance: note(
    'REPLAY',
    'Old deliveries are accepted, so a captured delivery can be replayed at any time.',
  ),
  NotAnEvent: note(
    'MISSING_CHECK',
    'After the signature is accepted, fields are read from a value that has no fields.',
  ),
  NotANumber: note(
    'COMPARISON',
    'Comparisons with NaN are always false, and those with Infinity can be, so the tolerance never applies.',
  ),
  NotHex: note(
    'LAX_PARSER',
    'A hex decoder stops at an invalid character or skips it, without an error.',
  ),
  NumberOverflow: note(
    'LAX_PARSER',
    'A number that is too large for its type wraps, or is rounded into the tolerance.',
  ),
  OneSidedTolerance: note(
    'REPLAY',
    'Only old timestamps are refused, so a delivery from the future stays valid for a long time.',
  ),
  OpenPoint: note(
    'NONE',
    'The contract leaves this open, so never assert it. The code is the result of the receiver in this repository.',
  ),
  OtherScheme: note(
    'WRONG_FORMAT',
    'The signature of another webhook scheme is accepted, or is sent.',
  ),
  PartialComparison: note('COMPARISON', 'Only a part of the digest is compared.'),
  PartNotSigned: note(
    'COMPARISON',
    'A part of the message is not signed, so an attacker can change it.',
  ),
  PrototypeKey: note('INJECTION', 'A key of the body changes the prototype of the parsed object.'),
  RepeatedHeader: note('AMBIGUITY', 'Two components use different values of a repeated header.'),
  Reserialised: note(
    'TEXT_FOR_BYTES',
    'The body is parsed and reserialized before the check, so valid deliveries are refused and changed ones are accepted.',
  ),
  ShortDigest: note(
    'COMPARISON',
    'Only the length of the received digest is compared, so a short or even empty digest is accepted.',
  ),
  SignatureList: note(
    'LAX_PARSER',
    'The header is read as a list in which one valid entry is enough. Each entry costs one HMAC.',
  ),
  TextForBytes: note(
    'TEXT_FOR_BYTES',
    'The body is decoded to text before the check, so different bodies can become the same text.',
  ),
  TimeSpelling: note(
    'WRONG_FORMAT',
    'An authentic event is dropped because a date parser reads one form of ISO 8601 only.',
  ),
  ToleranceEdge: note('OFF_BY_ONE', 'The receiver refuses exactly 300 seconds, or accepts more.'),
  TrailingJunk: note(
    'LAX_PARSER',
    'The number parser stops at the first character that is not a digit.',
  ),
  TrimmedBody: note('TEXT_FOR_BYTES', 'Blanks around the body are removed before the check.'),
  WrongKey: note('KEY', 'A delivery is accepted that was not signed with the endpoint secret.'),
  WrongPrefix: note(
    'LAX_PARSER',
    'The version is not checked, so a later or weaker scheme is accepted.',
  ),
  WrongUnit: note(
    'LAX_PARSER',
    'Milliseconds are accepted as seconds, or make every delivery come from the future.',
  ),
  ZeroAsUnset: note('REPLAY', 'Zero is treated as absent, and the tolerance is not checked.'),
};

function note(bugType: string, effect: string): SignatureVectorNote {
  return { bugType, effect };
}
