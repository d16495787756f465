import { isOpenTask } from '@gantry/api/history/task.rules'
import type { Task } from './queries.ts'

/** A list of tasks as a query holds it, and when it was read (`dataUpdatedAt`, milliseconds). */
interface ReadTasks {
  data: { items: readonly Task[] } | undefined
  dataUpdatedAt: number
}

interface Sections {
  needed: readonly Task[]
  running: readonly Task[]
  finished: readonly Task[]
}

/**
 * Each task in one section. Open and ended ones are read at different times, so a task can be in both: the
 * newer answer is right.
 * @param above Ids of tasks that an unread notification shows above.
 */
export function sectionsOf(open: ReadTasks, ended: ReadTasks, above: readonly (string | null)[]): Sections {
  const over = ended.data?.items.filter(({ state }) => !isOpenTask(state)) ?? []
  const opened = open.data?.items ?? []
  const still = ended.dataUpdatedAt > open.dataUpdatedAt ? without(opened, idsOf(over)) : opened
  return {
    needed: still.filter(({ state }) => state === 'needs_attention'),
    running: still.filter(({ state }) => state === 'running'),
    finished: without(over, [...idsOf(still), ...above]),
  }
}

const idsOf = (tasks: readonly Task[]): readonly string[] => tasks.map(({ id }) => id)

function without(tasks: readonly Task[], ids: readonly (string | null)[]): readonly Task[] {
  const absent = new Set(ids)
  return tasks.filter(({ id }) => !absent.has(id))
}
