/** RFC 7208 §4.5: the version, and then a blank or nothing. Its words are read without regard to case (§4.6.1). */
const spfRecord = /^v=spf1(?: |$)/i;
const rejectAll = /^v=spf1 +-all *$/i;
/** RFC 7489 §6.3: the version comes first, and that value alone is read with regard to case. */
const dmarcRecord = /^[vV][ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/;

/**
 * True when one of a domain's texts says who may send its mail (SPF).
 *
 * @param texts the TXT records of the domain, the pieces of each joined (RFC 7208 §3.3)
 */
export function hasSpf(texts: readonly string[]): boolean {
  return texts.some((text) => spfRecord.test(text));
}

/**
 * True when a domain says that it sends no mail, in no other words than these: `v=spf1 -all`. False when it says anything besides, or has
 * two such records, which is an error (RFC 7208 §4.5).
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
