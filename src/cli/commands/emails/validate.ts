import { createInterface } from 'node:readline';
import { toEmailValidationBody } from '../../../api/v1/emails/validation-schema.ts';
import type { AddressProfile } from '../../../core/emails/syntax/address.ts';
import { parseEmailQuery } from '../../../core/emails/syntax/email-query.ts';
import type { ValidatedEmail } from '../../../core/validation/validate-request.ts';
import { ValidationError } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { openTextValidator } from '../../../app/email-service.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { noteTyping } from '../../context/note-typing.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** Options of `validate`. */
export interface ValidateOptions extends AccountOptions {
  readonly ndjson?: boolean;
  readonly syntaxOnly?: boolean;
  readonly profile?: AddressProfile;
}

/** Maximum number of lines validated at a time. Verdicts are written in the order of the input. */
const linesAhead = 64;

type Validate = (email: string) => Promise<ValidatedEmail>;

/** Validates e-mail addresses. `--json` prints response bodies of `POST /v1/people/email-validation`. */
export const validate: Command<[readonly string[]], ValidateOptions> = async (
  context,
  options,
  addresses,
) => {
  if (options.profile !== undefined && options.syntaxOnly !== true)
    throw new ValidationError(
      '--profile requires --syntax-only: it has no effect on a check of the mailbox.',
    );
  if ((options.ndjson === true) === addresses.length > 0)
    throw new ValidationError(
      'Pass the addresses to validate, or use --ndjson to read them from standard input.',
    );
  const validateOne = await openValidate(context, options);
  return options.ndjson === true
    ? validateLines(context, validateOne)
    : validateAll(context, validateOne, addresses);
};

async function openValidate(context: CommandContext, options: ValidateOptions): Promise<Validate> {
  if (options.syntaxOnly === true) {
    const validator = openTextValidator(context.config());
    return async (email) => ({ verdict: validator.evaluateText(email, options.profile), chargedMicro: 0n });
  }
  const app = await context.app();
  const { accountId } = await chooseAccount(context, options);
  return async (email) => {
    const requestId = newId('req', Date.now());
    const answer = await app.lookups.validateEmail({ accountId, address: parseEmailQuery(email), requestId });
    return { ...answer, verdict: { ...answer.verdict, email } };
  };
}

async function validateAll(
  { output }: CommandContext,
  validateOne: Validate,
  addresses: readonly string[],
): Promise<number> {
  const answers = await Promise.all(addresses.map(validateOne));
  const bodies = answers.map((answer) => toEmailValidationBody(answer.verdict, answer));
  output.result(bodies.length === 1 ? bodies[0] : bodies, () =>
    formatTable(
      [
        'address',
        'status',
        'reason',
        'recommendation',
        { title: 'message', hide: 1 },
        { title: 'did you mean', hide: 2 },
      ],
      bodies.map((body) => [
        body.email,
        body.email_status,
        body.sub_status,
        body.recommendation,
        body.message,
        body.did_you_mean,
      ]),
      output.tableColumns(),
    ),
  );
  return exitCodes.done;
}

/** Validates the lines of standard input. An invalid line is answered with its number and its error, so that every line has a result. */
async function validateLines(context: CommandContext, validateOne: Validate): Promise<number> {
  const { stdin, output, signal } = context;
  noteTyping(context);
  const lines = createInterface({ input: stdin, crlfDelay: Infinity, signal });
  const ahead: Promise<object>[] = [];
  let lineNo = 0;
  let invalid = 0;

  async function writeFirst(): Promise<void> {
    const line = await ahead.shift();
    if (line === undefined) return;
    if ('error' in line) invalid += 1;
    if (!output.stdout.write(`${JSON.stringify(line)}\n`))
      await new Promise((resolve) => output.stdout.once('drain', resolve));
  }

  for await (const text of lines) {
    signal.throwIfAborted();
    lineNo += 1;
    if (text.trim() === '') continue;
    const answer = answerLine(text, lineNo, validateOne);
    // Awaited in order; until then a rejection must not count as unhandled.
    answer.catch(() => undefined);
    ahead.push(answer);
    if (ahead.length >= linesAhead) await writeFirst();
  }
  // The signal ends the lines as well.
  signal.throwIfAborted();
  while (ahead.length > 0) await writeFirst();
  return invalid === 0 ? exitCodes.done : exitCodes.someFailed;
}

async function answerLine(text: string, lineNo: number, validateOne: Validate): Promise<object> {
  const line = parseLine(text);
  if (line === null)
    return {
      line: lineNo,
      error: 'not a JSON object with a string "email", such as {"id": 1, "email": "jane@example.com"}',
    };
  const answer = await validateOne(line.email);
  return { id: line.id, ...toEmailValidationBody(answer.verdict, answer) };
}

function parseLine(text: string): { readonly id: unknown; readonly email: string } | null {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line !== 'object' || line === null || !('email' in line)) return null;
    return typeof line.email === 'string' ? { id: 'id' in line ? line.id : null, email: line.email } : null;
  } catch {
    return null;
  }
}
