import type { CompanyField } from './fields.ts';
import { holdsDomains, type Recognition, type SeenColumn } from './recognise-columns.ts';
import type { ValidationError } from '../../core/errors.ts';
import { companyFields } from './company-file.ts';
import { rejectColumns, type ColumnsQuestion } from './header.ts';
import { describeKind, mapOption } from './column-labels.ts';

/**
 * Refuses a list of which less would be looked up than it seems to hold, because nothing says for certain which column it is.
 *
 * @throws ValidationError with the options to type, one for each column that may be meant, and one for "none of them".
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
    const domains = fields.company_domain.doubt === null ? [] : fields.company_domain.others;
    // Beside a name that is known only columns of nothing but addresses, of which nothing else is said, are worth a question.
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
      `Say which one it is: --map ${field}=COLUMN.`,
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
    `No column is ${field} for certain, though ${shown.length === 1 ? 'this one may be' : 'these may be'}: ${shown.join('; ')}. ` +
      `Add that option, or, if none of them is, --map ${field}=`,
  );
}
