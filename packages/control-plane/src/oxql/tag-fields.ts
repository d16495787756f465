import { OxqlError } from './oxql-error.ts'
import { tagPrefix } from './patterns.ts'
import type { Expression, Query } from './syntax-tree.ts'

/** Each key is read of all objects that the query may be about. */
const maxKeys = 8

/** The keys of the tags that a query names. */
export function tagKeysOf(query: Query): string[] {
  const keys = new Set<string>()
  const note = (field: string) => {
    if (field.startsWith(tagPrefix)) keys.add(field.slice(tagPrefix.length))
  }
  const inExpression = (expression: Expression): void => {
    if (expression.kind === 'comparison') note(expression.identifier)
    else if (expression.kind === 'not') inExpression(expression.of)
    else for (const each of expression.of) inExpression(each)
  }
  const visit = ({ from, operations }: Query): void => {
    if (from.kind === 'group') for (const member of from.members) visit(member)
    for (const operation of operations)
      if (operation.kind === 'filter') inExpression(operation.expression)
      else if (operation.kind === 'group_by') for (const field of operation.fields) note(field)
  }
  visit(query)
  if (keys.size > maxKeys)
    throw new OxqlError(`A query may name ${maxKeys} tags at most, and this one names ${keys.size}`)
  return [...keys]
}
