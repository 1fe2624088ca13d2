import { standardQuotes, type RecordForm } from './record-form.ts';
import { sampleRecords, type RecordSample } from './sample-records.ts';
import { createLineSkipper } from './skip-lines.ts';

/** Table in a text: its form, and where it starts. */
export interface TableForm extends RecordForm {
  /** Number of lines above the header, or above the first row where there is no header. */
  readonly linesAbove: number;
  /** Usual number of cells of its records. */
  readonly width: number;
}

/** Form of a table as far as it is given. */
export interface GivenForm {
  readonly delimiter?: string | undefined;
  readonly quote?: string | undefined;
  readonly escape?: string | undefined;
  /** Lines above the header. */
  readonly skipLines?: number | undefined;
}

/** Delimiters that are detected, in order of preference. */
const delimiters: readonly string[] = [',', ';', '\t', '|'];

/**
 * Detects the form of a table from the first records of a text. What is given is not detected.
 *
 * The delimiter is the one that gives the most records the same number of cells, more cells counting more. The first record must contain it,
 * except below a few lines of other text. A text without any is a table of one column. Never throws.
 *
 * @param isWhole false when the text is the beginning of a longer one.
 */
export function findTable(text: string, given: GivenForm, isWhole: boolean): TableForm {
  const body = createLineSkipper(given.skipLines ?? 0)(text);
  const sampleOf = (delimiter: string) => chooseQuotes(body, delimiter, given, isWhole);
  const sample = given.delimiter === undefined ? chooseSample(body, sampleOf) : sampleOf(given.delimiter);
  const linesAbove = given.skipLines ?? linesAboveHeader(sample);
  return { ...sample.form, linesAbove, width: sample.width };
}

function chooseSample(text: string, sampleOf: (delimiter: string) => RecordSample): RecordSample {
  const samples = delimiters.map(sampleOf).filter(({ width }) => width > 1);
  const comma = samples.find(({ form }) => form.delimiter === ',');
  // Blanks after commas stay in the cells, where they do no harm, unless they keep quotes from being read.
  if (comma !== undefined && comma.ruled < 1)
    samples.push(...[sampleOf(', ')].filter(({ ruled, width }) => width > 1 && ruled > comma.ruled));
  const best = bestOf(samples.filter(({ first }) => first.length > 1));
  if (best !== undefined && best.share >= evenShare) return best;
  const below = bestOf(samples.filter(isBelowText));
  // A few irregular records below a line with a delimiter are regular in another form by chance.
  if (below !== undefined && (best === undefined || below.records.length >= 10)) return below;
  return best ?? sampleWithoutDelimiter(text, sampleOf);
}

/** Returns the sample whose records most often are well-formed and have the usual number of cells, more cells counting more. */
function bestOf(samples: readonly RecordSample[]): RecordSample | undefined {
  const scoreOf = ({ width, share, ruled }: RecordSample) => share * (1 - 1 / width) * (0.25 + ruled);
  return samples.toSorted((one, other) => scoreOf(other) - scoreOf(one))[0];
}

const evenShare = 0.5;
const regularShare = 0.8;
/** Tables of two columns have no text above them: it could as well be a row. */
const widthBelowTextMin = 3;

/** True for a table that is regular and wide enough to have other text above it. */
function isBelowText({ width, share }: RecordSample): boolean {
  return width >= widthBelowTextMin && share >= regularShare;
}

/**
 * Words of a text are no cells: only an almost perfectly regular text has blanks as delimiters. Else the delimiter is one that the text does
 * not contain outside of quotes, so that a comma in a name (`Acme, Inc`) does not split it.
 */
function sampleWithoutDelimiter(text: string, sampleOf: (delimiter: string) => RecordSample): RecordSample {
  const blank = sampleOf(' ');
  const { width, share, first, records } = blank;
  if (width >= widthBelowTextMin && first.length === width && share >= 0.95 && records.length >= 3)
    return blank;
  const bare = text.replace(/"[^"]*"/g, '');
  return sampleOf(delimiters.find((delimiter) => !bare.includes(delimiter)) ?? ',');
}

/** Samples a text with the quote and the escape character that fit it, or the given ones. */
function chooseQuotes(text: string, delimiter: string, given: GivenForm, isWhole: boolean): RecordSample {
  const quote = given.quote ?? chooseQuote(text, delimiter);
  const sample = (escape: string) => sampleRecords(text, { delimiter, quote, escape }, isWhole);
  if (given.escape !== undefined) return sample(given.escape);
  const doubled = sample(quote);
  if (doubled.ruled === 1 || !text.includes(`\\${quote}`)) return doubled;
  const escaped = sample('\\');
  return escaped.ruled > doubled.ruled ? escaped : doubled;
}

/** Returns `'` where it encloses cells, of the header too or of most lines, and `"` begins none. An apostrophe in a text encloses nothing. */
function chooseQuote(text: string, delimiter: string): string {
  const { quote } = standardQuotes;
  if (!text.includes("'")) return quote;
  const lines = text.split(/[\r\n]+/, 100).filter((line) => line !== '');
  const rows = lines.map((line) => line.split(delimiter).map((cell) => cell.trim()));
  if (rows.flat().some((cell) => cell.startsWith(quote))) return quote;
  const isEnclosed = (cell: string) => cell.length > 1 && cell.startsWith("'") && cell.endsWith("'");
  const enclosed = rows.filter((cells) => cells.some(isEnclosed)).length;
  const isHeaderEnclosed = rows[0]?.some(isEnclosed) === true;
  return enclosed >= (isHeaderEnclosed ? 1 : 5) && enclosed >= rows.length / 2 ? "'" : quote;
}

const linesAboveMax = 20;

/** Returns the number of lines above the first record that has at least half as many filled cells as usual. */
function linesAboveHeader(sample: RecordSample): number {
  const first = sample.records[sample.header];
  if (first === undefined || sample.header > linesAboveMax) return 0;
  return isBelowText(sample) ? first.lineNo - 1 : 0;
}
