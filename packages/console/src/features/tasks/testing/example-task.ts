import type { Task } from '../queries.ts'

export const exampleTaskBegan = new Date('2026-01-02T10:00:00Z')

/** A running bulk action of the user's own. */
export const exampleTask = (more: Partial<Task>): Task => ({
  id: 'id',
  kind: 'instance-action',
  verb: 'stop',
  object: { kind: 'instance', id: null, name: null },
  count: 300,
  project: null,
  silo: null,
  state: 'running',
  timeBegan: exampleTaskBegan,
  timeEnded: null,
  by: { kind: 'user', id: null, name: 'mara' },
  isMine: true,
  progress: null,
  step: null,
  failure: null,
  actions: [],
  ...more,
})
