/** Keywords that queries use, the frequent ones first. */
export const keywords: readonly string[] = [
  ...['select', 'from', 'where', 'group by', 'order by', 'limit', 'join', 'left join', 'on', 'using', 'as'],
  ...['and', 'or', 'not', 'in', 'is', 'null', 'is null', 'is not null', 'desc', 'asc', 'distinct', 'with'],
  ...['having', 'offset', 'like', 'ilike', 'between', 'case', 'when', 'then', 'else', 'end', 'exists', 'any'],
  ...['union all', 'union', 'intersect', 'except', 'filter', 'over', 'partition by', 'lateral', 'cross join'],
  ...[
    'nulls last',
    'nulls first',
    'interval',
    'true',
    'false',
    'values',
    'current_date',
    'current_timestamp',
  ],
];

/** Functions that queries use, without their brackets. */
export const functionNames: readonly string[] = [
  ...['count', 'sum', 'avg', 'min', 'max', 'round', 'coalesce', 'nullif', 'greatest', 'least', 'now'],
  ...[
    'date_trunc',
    'date_part',
    'to_char',
    'age',
    'lower',
    'upper',
    'trim',
    'length',
    'split_part',
    'replace',
  ],
  ...[
    'regexp_replace',
    'string_agg',
    'array_agg',
    'unnest',
    'cardinality',
    'array_length',
    'generate_series',
  ],
  ...['row_number', 'rank', 'lag', 'lead', 'first_value', 'jsonb_array_elements', 'jsonb_object_keys'],
];
