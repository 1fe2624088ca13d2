/** RFC 7208 §4.5: the version, then a space or the end. Case does not matter (§4.6.1). */
const spfRecord = /^v=spf1(?: |$)/i;
const rejectAll = /^v=spf1 +-all *$/i;
/** RFC 7489 §6.3: the version comes first; the case of its value matters. */
const dmarcRecord = /^[vV][ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/;

/**
 * True when one of the texts is an SPF record.
 *
 * @param texts the TXT records of the domain, the pieces of each joined (RFC 7208 §3.3)
 */
export function hasSpf(texts: readonly string[]): boolean {
  return texts.some((text) => spfRecord.test(text));
}

/**
 * True when the SPF record is exactly `v=spf1 -all`: the domain sends no mail. False for any other record, and for two records, which are
 * an error (RFC 7208 §4.5).
 *
 * @param texts the TXT records of the domain, the pieces of each joined
 */
export function rejectsAllSenders(texts: readonly string[]): boolean {
  const records = texts.filter((text) => spfRecord.test(text));
  return records.length === 1 && records.every((text) => rejectAll.test(text));
}

/**
 * True when one of the texts is a DMARC policy (RFC 7489 §6.6.3).
 *
 * @param texts the TXT records of `_dmarc` below a domain, the pieces of each joined
 */
export function hasDmarc(texts: readonly string[]): boolean {
  return texts.some((text) => dmarcRecord.test(text));
}
