import type { Expression, Query } from './syntax-tree.ts'

/**
 * The query with each `get` limited to one project (reference B 20.1). A timeseries without these two fields
 * is then refused like any other unknown field.
 */
export function withinProject(query: Query, ids: { silo: string; project: string }): Query {
  const { from, operations } = query
  if (from.kind === 'group')
    return {
      from: { ...from, members: from.members.map((member) => withinProject(member, ids)) },
      operations,
    }
  return { from, operations: [equals('silo_id', ids.silo), equals('project_id', ids.project), ...operations] }
}

function equals(identifier: string, id: string): Query['operations'][number] {
  const expression: Expression = {
    kind: 'comparison',
    identifier,
    operator: '==',
    literal: { type: 'uuid', value: id },
  }
  return { kind: 'filter', expression, text: `${identifier} == "${id}"` }
}
