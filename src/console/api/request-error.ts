/** Error of a request, with a message for people. */
export class Failure extends Error {
  /** The code of the error body, or `unreachable`. */
  readonly code: string;
  readonly status: number;
  readonly requestId: string | null;
  constructor(
    message: string,
    {
      code,
      status,
      requestId,
    }: { readonly code: string; readonly status: number; readonly requestId: string | null },
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
  }
}

/** True when the error is transient: the server, or a proxy before it, is unavailable. */
export function isAway({ code, status }: Failure): boolean {
  return code === 'unreachable' || [502, 503, 504].includes(status);
}

/** The form of every error of the API. */
interface ProblemBody {
  readonly errors: readonly { readonly title: string; readonly code: string }[];
  readonly meta: { readonly request_id: string };
}

/** Error of an unsuccessful answer. */
export async function errorOf(response: Response): Promise<Failure> {
  const body: unknown = await response.json().catch(() => null);
  if (!isProblem(body)) {
    return new Failure(`The server answered ${response.status}.`, {
      code: 'unreadable',
      status: response.status,
      requestId: null,
    });
  }
  return new Failure(body.errors.map(({ title }) => sentence(title)).join(' '), {
    code: body.errors[0]?.code ?? 'unreadable',
    status: response.status,
    requestId: body.meta.request_id,
  });
}

/** Titles of errors are sentences, some without their full stop. */
function sentence(title: string): string {
  return /[.!?]$/.test(title) ? title : `${title}.`;
}

/** Whatever was thrown, as something that can be shown. */
export function asError(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  return new Failure(words, { code: 'internal', status: 0, requestId: null });
}

function isProblem(body: unknown): body is ProblemBody {
  return typeof body === 'object' && body !== null && 'errors' in body && 'meta' in body;
}
