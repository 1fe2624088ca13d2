import { SourceRefused, type EnrichError } from '../errors.ts';

/** The message of an error, with what a source itself said where it refused: for whoever can mend it. */
export function withWords(error: EnrichError): string {
  const said = error instanceof SourceRefused ? error.said : null;
  return said === null ? error.message : `${error.message}; it says "${said}"`;
}
