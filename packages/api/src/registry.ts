import { allOps } from './operations.gen.ts'

/** Every operation served: those that each resource's file exports. */
export const ops = allOps

export type Ops = typeof ops
export type OpName = keyof Ops

const idOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const ids = new Map(Object.keys(ops).map((name) => [name, idOf(name)]))

/** `projectList` is `project_list` in the document, in logs and in audit records. */
export const operationId = (name: string): string => ids.get(name) ?? idOf(name)
