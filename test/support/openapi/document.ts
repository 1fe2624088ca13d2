/** The parts of a JSON Schema that the document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

/** An operation of the document. */
export interface DocumentedOperation {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses?: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

/** The OpenAPI document, with the parts that tests read. */
export interface Document {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An operation with its method and path. */
export interface Operation {
  /** Method in capitals. */
  readonly method: string;
  /** Path with parameters in braces. */
  readonly path: string;
  readonly reported: DocumentedOperation;
  /** True if it requires an API key. */
  readonly isGuarded: boolean;
  /** True if it requires a session and rejects API keys. */
  readonly isOfSession: boolean;
}

export function listOperations({ paths }: Document): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, reported]) => ({
      method: method.toUpperCase(),
      path,
      reported,
      isGuarded: reported.security === undefined,
      isOfSession: (reported.security ?? []).length > 0,
    })),
  );
}

/** Formats `POST /v1/batches`, for titles and failures. */
export function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** Resolves a reference. @throws Error when its target does not exist. */
export function followRef(document: Document, ref: string): unknown {
  if (!ref.startsWith('#/')) throw new Error(`${ref} leads out of the document`);
  const parts = ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return parts.reduce<unknown>((at, part) => {
    const next = (at as Readonly<Record<string, unknown>>)[part];
    if (next === undefined) throw new Error(`${ref} leads nowhere`);
    return next;
  }, document);
}
