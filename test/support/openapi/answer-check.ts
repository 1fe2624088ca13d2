import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ProblemBody } from '../api/test-api.ts';
import type { Document, Operation } from './document.ts';
import type { PlainAnswer } from './send-request.ts';

/** Checks responses and bodies against the OpenAPI document. */
export interface AnswerCheck {
  /** Lists violations of the document by an operation's response. */
  readonly complaints: (operation: Operation, answer: PlainAnswer) => readonly string[];
  /** Lists violations of docs/architecture/contract.md, 7, by an error response of any origin. */
  readonly problemComplaints: (answer: PlainAnswer) => readonly string[];
  /** True if the operation's schema allows a body. */
  readonly allowsBody: (operation: Operation, body: unknown) => boolean;
}

const milliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function createAnswerCheck(document: Document, baseUrl: string): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  // Under NodeNext the default export has the type of the whole module.
  (addFormats as unknown as (to: Ajv2020) => void)(ajv);
  ajv.addSchema(document, 'document');
  const validators = new Map<string, ValidateFunction>();
  const validatorOf = (...parts: readonly string[]): ValidateFunction => {
    const place = parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    const ref = `document#/${place.join('/')}`;
    const found = validators.get(ref) ?? ajv.compile({ $ref: ref });
    validators.set(ref, found);
    return found;
  };
  const mismatch = (value: unknown, ...parts: readonly string[]): readonly string[] => {
    const validate = validatorOf(...parts);
    if (validate(value)) return [];
    return [`the body is not as documented: ${ajv.errorsText(validate.errors?.slice(0, 1))}`];
  };

  function complaints(operation: Operation, answer: PlainAnswer): readonly string[] {
    const { method, path, reported } = operation;
    const status = String(answer.status);
    const response = reported.responses?.[status];
    if (response === undefined) return [`${status} is not documented`];
    const type = mediaTypeOf(answer);
    if (response.content === undefined)
      return answer.body.length === 0 && type === '' ? [] : [`${status} is documented without a body`];
    if (response.content?.[type]?.schema === undefined) return [`${status} is not documented as ${type}`];
    const text = answer.body.toString();
    const place = ['paths', path, method.toLowerCase(), 'responses', status, 'content', type, 'schema'];
    const found = type === 'application/json' ? parseJson(text) : { value: text };
    if (found === null) return [`${status} is no JSON`];
    return [...mismatch(found.value, ...place), ...(answer.status < 400 ? [] : problemComplaints(answer))];
  }

  function problemComplaints(answer: PlainAnswer): readonly string[] {
    const text = answer.body.toString();
    const found = parseJson(text);
    if (mediaTypeOf(answer) !== 'application/json' || found === null) {
      return [`${answer.status} has no error body`];
    }
    const wrong = mismatch(found.value, 'components', 'schemas', 'Problem');
    if (wrong.length > 0) return wrong;
    const { errors, meta } = found.value as ProblemBody;
    return [
      ...errors.flatMap(({ type, status, code, title }) => [
        ...(type === `${baseUrl}/errors/${code}` ? [] : ['the type of an error is not the page of its code']),
        ...(status === answer.status ? [] : [`status ${status} in the body of a ${answer.status}`]),
        ...(title.trim() === '' ? ['an empty title'] : []),
      ]),
      ...(milliseconds.test(meta.timestamp) ? [] : ['the timestamp is not of the agreed form']),
      ...(answer.headers['x-request-id'] === meta.request_id
        ? []
        : ['the header X-Request-Id says another id']),
    ];
  }

  return {
    complaints,
    problemComplaints,
    allowsBody: ({ method, path }, body) =>
      validatorOf(
        'paths',
        path,
        method.toLowerCase(),
        'requestBody',
        'content',
        'application/json',
        'schema',
      )(body),
  };
}

export function excerpt(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length})` : text;
}

function mediaTypeOf({ headers }: PlainAnswer): string {
  const type = headers['content-type'];
  return typeof type === 'string' ? (type.split(';', 1)[0] ?? '') : '';
}

function parseJson(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}
