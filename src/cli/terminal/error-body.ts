import { Problem, problemCodeOf } from '../../api/http/problem.ts';
import { toProblemBody } from '../../api/http/problem-schema.ts';
import { newId } from '../../core/ids.ts';

/** Address of a server of one's own without `NIGHTSHIFT_BASE_URL`. */
const localUrl = 'http://localhost:3000';

/**
 * Creates the body of an error for `--json`: that of the HTTP API, with the message for the operator. It is built from the environment,
 * because the configuration may be what is wrong.
 */
export function toErrorBody(
  error: unknown,
  message: string,
  environment: Readonly<Record<string, string | undefined>>,
) {
  const now = new Date();
  return toProblemBody(new Problem(problemCodeOf(error), { titles: [message] }), {
    baseUrl: environment['NIGHTSHIFT_BASE_URL']?.replace(/\/+$/, '') ?? localUrl,
    requestId: newId('req', now.getTime()),
    now,
  });
}
