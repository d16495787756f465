import type { FieldType } from './model.ts'
import { OxqlError } from './oxql-error.ts'
import { matcher } from './regex/matcher.ts'
import type { Comparison, Expression, FilterOperation } from './syntax-tree.ts'
import { isDistribution, nameList, type TableType, typeWord } from './table-type.ts'

/** Parts of a distribution, which the language reserves. */
const special = new Set([
  'bins',
  'counts',
  'min',
  'max',
  'mean',
  'n_samples',
  'sum_of_samples',
  'squared_mean',
  'p50',
  'p90',
  'p99',
])

/** Refuses a filter whose identifiers or types do not fit the table. */
export function checkFilter({ expression, text }: FilterOperation, table: TableType): void {
  const identifiers = identifiersOf(table)
  const comparisons = comparisonsOf(expression)
  const problems: string[] = []
  const used = new Set(comparisons.map(({ identifier }) => identifier))
  const reserved = hasDistributions(table) ? special : new Set<string>()
  const invalid = [...used].filter((name) => !identifiers.has(name) && !reserved.has(name))
  if (invalid.length > 0)
    problems.push(
      `The filter expression refers to identifiers that are not valid for its input table "${table.name}". ` +
        `Invalid identifiers: ${nameList(invalid)}, valid identifiers: ${nameList(identifiers.keys())}`,
    )
  for (const comparison of comparisons) {
    const { identifier } = comparison
    const type = identifiers.get(identifier)
    if (type !== undefined) {
      const problem = typeProblem(comparison, type)
      if (problem) problems.push(problem)
    } else if (reserved.has(identifier))
      problems.push(`Filtering on the special identifier "${identifier}" is not yet supported`)
  }
  if (problems.length > 0)
    throw new OxqlError(
      [
        `The filter expression "${text}" is not valid, the following errors were encountered`,
        ...[...new Set(problems)].map((problem) => `  > ${problem}`),
      ].join('\n'),
    )
  for (const { operator, literal } of comparisons)
    if (operator === '~=' && literal.type === 'string') matcher(literal.value)
}

const hasDistributions = ({ dimensions }: TableType): boolean =>
  dimensions.some(({ data }) => isDistribution(data))

/** The names in a filter, with their types. A field hides a special name. */
function identifiersOf(table: TableType): Map<string, string> {
  const identifiers = new Map([...table.fields].map(([name, type]) => [name, fieldWord(type)]))
  const [dimension, ...more] = table.dimensions
  if (dimension && more.length === 0 && !isDistribution(dimension.data))
    identifiers.set('datum', typeWord(dimension.data))
  if (dimension?.metric === 'delta') identifiers.set('start_time', 'Timestamp')
  identifiers.set('timestamp', 'Timestamp')
  return identifiers
}

/** Integer fields of every width take integer literals. */
function fieldWord(type: FieldType): string {
  if (type === 'bool') return 'Boolean'
  return /^[iu]\d+$/.test(type) ? 'Integer' : typeWord(type)
}

function typeProblem({ identifier, operator, literal }: Comparison, expected: string): string | undefined {
  const found = typeWord(literal.type)
  const wanted = found === expected && operator === '~=' ? 'String' : expected
  return found === wanted
    ? undefined
    : `Filter expression for identifier "${identifier}" has type "${found}" which is not compatible with the expected type "${wanted}"`
}

const comparisonsOf = (expression: Expression): Comparison[] => {
  if (expression.kind === 'comparison') return [expression]
  return expression.kind === 'not' ? comparisonsOf(expression.of) : expression.of.flatMap(comparisonsOf)
}
