/** Error of a request, with a message for the user. */
export class RequestError extends Error {
  /** Code of the error body, or `unreachable`. */
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
export function isUnreachable({ code, status }: RequestError): boolean {
  return code === 'unreachable' || [502, 503, 504].includes(status);
}

/** Body of every error of the API. */
interface ProblemBody {
  readonly errors: readonly { readonly title: string; readonly code: string }[];
  readonly meta: { readonly request_id: string };
}

/** Creates the error of an unsuccessful response. */
export async function errorOf(response: Response): Promise<RequestError> {
  const body: unknown = await response.json().catch(() => null);
  if (!isProblem(body)) {
    return new RequestError(`The server responded with status ${response.status}. Try again.`, {
      code: 'unreadable',
      status: response.status,
      requestId: null,
    });
  }
  return new RequestError(body.errors.map(({ title }) => sentence(title)).join(' '), {
    code: body.errors[0]?.code ?? 'unreadable',
    status: response.status,
    requestId: body.meta.request_id,
  });
}

/** Adds the full stop that some titles lack. */
function sentence(title: string): string {
  return /[.!?]$/.test(title) ? title : `${title}.`;
}

/** Converts anything that was thrown into an error to show. */
export function toRequestError(thrown: unknown): RequestError {
  if (thrown instanceof RequestError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new RequestError(message, { code: 'internal', status: 0, requestId: null });
}

function isProblem(body: unknown): body is ProblemBody {
  return typeof body === 'object' && body !== null && 'errors' in body && 'meta' in body;
}
