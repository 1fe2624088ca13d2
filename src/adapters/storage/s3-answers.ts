import { StorageRejected } from '../../core/errors.ts';
import { XmlError } from '../../xml/decode-entities.ts';
import { createXmlReader } from '../../xml/xml-reader.ts';

/** A page of ListObjectsV2. */
export interface ObjectPage {
  readonly objects: readonly S3Object[];
  /** Null on the last page. */
  readonly next: string | null;
}

export interface S3Object {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedAt: Date | null;
  readonly entityTag: string;
}

/** Error in the body of an answer. */
export interface S3Error {
  /** Such as `NoSuchKey`; null without one. */
  readonly code: string | null;
  /** Region of the bucket, if the error names it. */
  readonly region: string | null;
}

/** Parses the answer of ListObjectsV2. @throws StorageRejected when it is not one. */
export function parseObjectPage(text: string, where: string): ObjectPage {
  const objects: S3Object[] = [];
  const fields = new Map<string, string>();
  let root = '';
  try {
    readElements(text, (path, value) => {
      root = path[0] ?? root;
      const [, name = '', field = ''] = path;
      if (path.length === 3 && name === 'Contents') fields.set(`Contents.${field}`, value);
      else if (path.length === 2 && name === 'Contents') objects.push(takeObject(fields));
      else if (path.length === 2) fields.set(name, value);
    });
    if (root !== 'ListBucketResult') throw new XmlError(`it has the root "${root}"`);
    const isCoded = fields.get('EncodingType') === 'url';
    const next = fields.get('IsTruncated') === 'true' ? (fields.get('NextContinuationToken') ?? '') : null;
    if (next === '') throw new XmlError('it has no token of the next page');
    return { objects: isCoded ? objects.map(decodeKey) : objects, next };
  } catch (error) {
    if (!(error instanceof XmlError || error instanceof URIError)) throw error;
    throw new StorageRejected(`${where} answered a list that is not one of S3. Check the endpoint.`, {
      cause: error,
    });
  }
}

/** Parses the error in an answer, of which only the start may be known. */
export function parseS3Error(text: string): S3Error {
  const found = new Map<string, string>();
  try {
    readElements(text, (path, value) => {
      if (path.length === 2 && path[0] === 'Error') found.set(path[1] ?? '', value);
    });
  } catch (error) {
    // A page of a proxy, for example: the status counts.
    if (!(error instanceof XmlError)) throw error;
  }
  return { code: nameIn(found.get('Code')), region: nameIn(found.get('Region')) };
}

/** Names only: the text comes from the server, and could repeat what was sent. */
function nameIn(text: string | undefined): string | null {
  return text !== undefined && /^[A-Za-z][A-Za-z0-9.-]{0,63}$/.test(text) ? text : null;
}

/** Calls `onElement` at the end of each element with the names from the root to it, and its text. */
function readElements(text: string, onElement: (path: readonly string[], value: string) => void): void {
  const path: string[] = [];
  let value = '';
  const reader = createXmlReader({
    onOpen: (name) => {
      path.push(name);
      value = '';
    },
    onText: (part) => {
      value += part;
    },
    onClose: () => {
      onElement(path, value);
      path.pop();
      value = '';
    },
  });
  reader.write(text);
  reader.end();
}

function takeObject(fields: Map<string, string>): S3Object {
  const take = (name: string): string => {
    const value = fields.get(`Contents.${name}`) ?? '';
    fields.delete(`Contents.${name}`);
    return value;
  };
  const [key, size, modified] = [take('Key'), take('Size'), Date.parse(take('LastModified'))];
  const entityTag = plainTag(take('ETag'));
  if (key === '' || !/^\d{1,15}$/.test(size) || entityTag === '')
    throw new XmlError('an object is incomplete');
  const modifiedAt = Number.isNaN(modified) ? null : new Date(modified);
  return { key, bytes: Number(size), modifiedAt, entityTag };
}

/** Removes the quotes of an entity tag, and the mark of a weak one: both are written differently in lists and in headers. */
export function plainTag(tag: string): string {
  return tag.trim().replace(/^(W\/)?"(.*)"$/, '$2');
}

function decodeKey(object: S3Object): S3Object {
  return { ...object, key: decodeURIComponent(object.key.replaceAll('+', ' ')) };
}
