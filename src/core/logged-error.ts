/** An error as it is logged. */
export interface LoggedError {
  readonly type: string;
  /** Messages of the error and its causes, outermost first. */
  readonly message: string;
  /** Stack frames of the error and its causes, without the message. */
  readonly stack: string;
  readonly [field: string]: unknown;
}

/** Fields of an error that never quote a value: names of ours, codes, and the address of a server. */
const safeFields = ['code', 'constraint', 'table', 'routine', 'syscall', 'address', 'port', 'path', 'status'];

const causesMax = 8;

/**
 * Removes from an error the values that it quotes: batches contain personal data, and logs are kept for long and read by
 * others.
 *
 * The database driver puts all parameters of a statement into the message, and Postgres quotes rejected values and lines of
 * COPY in the message and its details.
 */
export function toLoggedError(error: unknown): LoggedError {
  const chain = chainOf(error);
  const fields = chain.toReversed().flatMap((each) => safeFieldsOf(each));
  return {
    type: typeOf(error),
    ...Object.fromEntries(fields),
    message: chain.map(messageOf).join(': '),
    stack: chain.map((each) => `${typeOf(each)}: ${messageOf(each)}${framesOf(each)}`).join('\ncaused by: '),
  };
}

/** The error and its causes, up to a maximum depth. */
function chainOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let next = error; next !== undefined && next !== null && chain.length < causesMax;) {
    if (chain.includes(next)) break;
    chain.push(next);
    next = next instanceof Error ? (next.cause ?? firstOf(next)) : null;
  }
  return chain;
}

function firstOf(error: Error): unknown {
  return error instanceof AggregateError ? (error.errors as readonly unknown[])[0] : null;
}

function typeOf(error: unknown): string {
  return error instanceof Error ? error.constructor.name || error.name : typeof error;
}

function safeFieldsOf(error: unknown): readonly (readonly [string, unknown])[] {
  if (!(error instanceof Error)) return [];
  return Object.entries(error).filter(
    ([name, value]) => safeFields.includes(name) && ['string', 'number'].includes(typeof value),
  );
}

/** Quoted parts, from the first quotation mark to the last of a line, because a value may contain some. */
const quoted = /".*"/gs;

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : `thrown ${typeof error}`;
  if ('query' in error && 'params' in error) return `Failed query: ${String(error.query)}`;
  return quotesValues(error) ? error.message.replaceAll(quoted, '"…"') : error.message;
}

/** Postgres quotes values in errors about data (class 22), and so does JSON.parse. */
function quotesValues(error: Error): boolean {
  const isOfData = 'severity' in error && 'code' in error && /^22/.test(String(error.code));
  return isOfData || error instanceof SyntaxError;
}

/** Stack frames, one per line, without the message before them. */
function framesOf(error: unknown): string {
  if (!(error instanceof Error) || error.stack === undefined) return '';
  const { message, stack } = error;
  const head = stack.indexOf(message);
  const rest = head === -1 ? stack : stack.slice(head + message.length);
  const frames = rest.split('\n').filter((line) => /^ {4}at \S/.test(line));
  return frames.map((frame) => `\n${frame}`).join('');
}
