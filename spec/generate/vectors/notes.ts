import type { SignatureVectorNote } from '@hookproof/spec/vectors';

/** The bugs that flags stand for. */
export const notes: Readonly<Record<string, SignatureVectorNote>> = {
  BlankInSignature: note(
    'LAX_PARSER',
    'Blanks in the signature are skipped, so that many spellings pass as one.',
  ),
  ByteOrderMark: note(
    'TEXT_FOR_BYTES',
    'A decoder drops the byte order mark: other bytes than the signed ones are checked or parsed.',
  ),
  ControlCharacter: note('INJECTION', 'Control characters of an id reach logs, keys and headers.'),
  DateText: note('LAX_PARSER', 'A date parser stands where a whole number is due.'),
  DotInId: note(
    'AMBIGUITY',
    'The parts of the signed message are split at dots or counted, so that a boundary can be moved.',
  ),
  DuplicateKey: note(
    'AMBIGUITY',
    'The id that was compared and the id that is used later come from different parsers.',
  ),
  EarlyEnd: note(
    'TRUNCATION',
    'A NUL ends the text: what follows is neither checked nor seen, or what was signed is not what is used.',
  ),
  EmptyPart: note(
    'MISSING_CHECK',
    'An empty value passes for an absent one, or is left out of the signed message.',
  ),
  HeaderNameCase: note(
    'LOOKUP',
    'A header is looked up in one letter case only, and deliveries through some proxies are refused or read twice.',
  ),
  HeaderOrder: note(
    'LOOKUP',
    'Headers are taken by place, or names are compared by their beginning.',
  ),
  HexCase: note(
    'LAX_PARSER',
    'Two implementations of one receiver disagree on the case of hex digits.',
  ),
  IdNotCompared: note(
    'MISSING_CHECK',
    'The id of the body is used though another one was deduplicated: one event can be handled many times.',
  ),
  KeyBytes: note(
    'KEY',
    'Sender and receiver make different keys from one secret: nothing verifies.',
  ),
  LargeBody: note(
    'TRUNCATION',
    'A body that comes in several reads is checked in part or refused.',
  ),
  LenientNumber: note(
    'LAX_PARSER',
    'A number parser accepts more spellings than the header has, and the number checked may not be the text signed.',
  ),
  LineBreaks: note('TEXT_FOR_BYTES', 'Line breaks are changed before the check.'),
  LongDigest: note('COMPARISON', 'Only the beginning of the digest is compared.'),
  MalformedId: note(
    'MISSING_CHECK',
    'Any text passes as an id and becomes a key of stores, logs and paths.',
  ),
  MissingHeader: note(
    'MISSING_CHECK',
    'A missing header makes the receiver throw, skip the check, or use the text "undefined".',
  ),
  NoComparison: note('COMPARISON', 'Nothing is compared, or with a value that anybody can make.'),
  NoTolerance: note(
    'REPLAY',
    'Old deliveries are accepted: a captured one can be sent again for ever.',
  ),
  NotAnEvent: note(
    'MISSING_CHECK',
    'Fields are read from a value that has none, after the signature was accepted.',
  ),
  NotANumber: note(
    'COMPARISON',
    'Every comparison with NaN is false and with Infinity may be: the tolerance never refuses.',
  ),
  NotHex: note(
    'LAX_PARSER',
    'A hex decoder stops at the first wrong character, or skips it, without an error.',
  ),
  NumberOverflow: note(
    'LAX_PARSER',
    'A number too large for its type wraps or is rounded into the tolerance.',
  ),
  OneSidedTolerance: note(
    'REPLAY',
    'Only old timestamps are refused: a delivery from the future stays good until long after.',
  ),
  OpenPoint: note(
    'NONE',
    'The contract does not decide. Nobody may be judged by it; the code is what this kit does.',
  ),
  OtherScheme: note('WRONG_FORMAT', 'The signature of another webhook scheme passes, or is sent.'),
  PartialComparison: note('COMPARISON', 'Only a part of the digest is compared.'),
  PartNotSigned: note(
    'COMPARISON',
    'A part of the message is not in the MAC and can be changed by anybody.',
  ),
  PrototypeKey: note('INJECTION', 'A key of the body changes the prototype of the parsed object.'),
  RepeatedHeader: note('AMBIGUITY', 'Two components take different ones of the repeated values.'),
  Reserialised: note(
    'TEXT_FOR_BYTES',
    'The body is parsed and written again before the check: right deliveries are refused, changed ones accepted.',
  ),
  ShortDigest: note(
    'COMPARISON',
    'The comparison is as long as the received digest: a short one, even an empty one, is enough.',
  ),
  SignatureList: note(
    'LAX_PARSER',
    'The header is read as a list in which one right entry, or the first, is enough; each entry costs a MAC.',
  ),
  TextForBytes: note(
    'TEXT_FOR_BYTES',
    'The body is decoded to text before the check, and different bodies become the same text.',
  ),
  ToleranceEdge: note('OFF_BY_ONE', 'More than 300 seconds is refused; exactly 300 is not.'),
  TrailingJunk: note(
    'LAX_PARSER',
    'The number parser stops at the first character that is no digit.',
  ),
  TrimmedBody: note('TEXT_FOR_BYTES', 'Blanks around the body are dropped before the check.'),
  WrongKey: note('KEY', 'A delivery passes that the endpoint secret did not sign.'),
  WrongPrefix: note(
    'LAX_PARSER',
    'The version is not checked, so that a later or a weaker scheme passes for this one.',
  ),
  WrongUnit: note(
    'LAX_PARSER',
    'Milliseconds pass for seconds, or make every delivery come from the future.',
  ),
  ZeroAsUnset: note('REPLAY', 'Zero reads as "not given" and the tolerance is skipped.'),
};

function note(bugType: string, effect: string): SignatureVectorNote {
  return { bugType, effect };
}
