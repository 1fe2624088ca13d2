import type { CompanyField } from './fields.ts';
import { holdsDomains, type Recognition, type SeenColumn } from './recognise-columns.ts';
import type { ValidationError } from '../../core/errors.ts';
import { companyFields } from './company-file.ts';
import { rejectColumns, type ColumnsQuestion } from './header.ts';
import { describeKind, mapOption } from './column-labels.ts';

/**
 * Rejects a file whose columns are ambiguous, so that fewer lookups would be made than it has data for.
 *
 * @throws ValidationError with the options to add: one for each possible column, and one for "none of them".
 */
export function rejectDoubt({ fields }: Recognition, question: ColumnsQuestion): void {
  for (const field of companyFields) {
    const [first, second] = fields[field].others;
    if (fields[field].doubt === 'tie' && first !== undefined && second !== undefined)
      throw tie(field, first, second, question);
  }
  const wanted = question.operations ?? ['ads_search', 'email_validation'];
  const hasCompany = fields.company_domain.column !== null || fields.company_name.column !== null;
  if (wanted.includes('ads_search')) {
    const { doubt, others } = fields.company_domain;
    // Beside a known company column, a proposal is a finding.
    const domains = doubt === null || (doubt === 'proposed' && hasCompany) ? [] : others;
    // Beside a known name, only columns with nothing but domains, and no other meaning, are ambiguous.
    const asked = hasCompany
      ? domains.filter(({ sense, values }) => sense.kind === 'open' && holdsDomains(values))
      : domains;
    if (asked.length > 0) throw unsure('company_domain', asked, question);
    if (!hasCompany && fields.company_name.doubt !== null)
      throw unsure('company_name', fields.company_name.others, question);
  }
  const hasAny = hasCompany || fields.email.column !== null;
  if (wanted.includes('email_validation') && !hasAny && fields.email.doubt !== null)
    throw unsure('email', fields.email.others, question);
}

function tie(
  field: CompanyField,
  first: SeenColumn,
  second: SeenColumn,
  question: ColumnsQuestion,
): ValidationError {
  return rejectColumns(
    question,
    `The columns ${JSON.stringify(first.name)} and ${JSON.stringify(second.name)} both look like ${field}. ` +
      `Choose one with --map ${field}=COLUMN.`,
  );
}

const columnsShown = 5;

function unsure(
  field: CompanyField,
  columns: readonly SeenColumn[],
  question: ColumnsQuestion,
): ValidationError {
  const shown = columns.slice(0, columnsShown).map(({ name, values, looksLike }) => {
    const description = describeKind({ looksLike: looksLike ?? 'mixed', examples: values.examples });
    return `${JSON.stringify(name)} looks like ${description}: ${mapOption(field, name)}`;
  });
  return rejectColumns(
    question,
    `No column is certain to be ${field}, but ${shown.length === 1 ? 'this one may be' : 'these may be'}: ${shown.join('; ')}. ` +
      `Add ${shown.length === 1 ? 'that option' : 'one of the options'}, or, if none fits, --map ${field}=`,
  );
}
