import type { Limit } from './model.ts'

/** A query as it is written. Times relative to now are resolved when it is planned. */
export interface Query {
  from: Get | Group
  operations: readonly Operation[]
}

export interface Get {
  kind: 'get'
  name: string
}
export interface Group {
  kind: 'group'
  members: readonly Query[]
}

export type Operation = FilterOperation | AlignOperation | GroupByOperation | JoinOperation | LimitOperation

export interface FilterOperation {
  kind: 'filter'
  expression: Expression
  /** As written, for messages. */
  text: string
}
export interface AlignOperation {
  kind: 'align'
  method: 'mean_within' | 'interpolate'
  /** In whole microseconds, greater than zero. */
  period: number
}
export interface GroupByOperation {
  kind: 'group_by'
  fields: readonly string[]
  reducer: 'mean' | 'sum'
}
export interface JoinOperation {
  kind: 'join'
}
export interface LimitOperation {
  kind: 'limit'
  limit: Limit
}

/** Chains of one operator are one node, so that their length adds no depth. */
export type Expression =
  | { kind: 'or' | 'and' | 'xor'; of: readonly Expression[] }
  | { kind: 'not'; of: Expression }
  | Comparison

export interface Comparison {
  kind: 'comparison'
  identifier: string
  operator: ComparisonOperator
  literal: Literal
}
export type ComparisonOperator = '==' | '!=' | '>=' | '>' | '<=' | '<' | '~='

export type Literal =
  | { type: 'boolean'; value: boolean }
  /** In microseconds. */
  | { type: 'duration'; value: number }
  | { type: 'integer'; value: number | bigint }
  | { type: 'double'; value: number }
  | { type: 'uuid' | 'ip_addr' | 'string'; value: string }
  | { type: 'timestamp'; value: Moment }

/** Microseconds: since 1970, from now, or since the midnight (UTC) before now. */
export interface Moment {
  from: 'epoch' | 'now' | 'midnight'
  offset: number
}
