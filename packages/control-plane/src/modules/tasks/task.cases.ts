import type { taskOps } from '@gantry/api/history/task'
import { id, project } from '../../testing/case-values.ts'
import { type CasesOf, on, openly } from '../../testing/operation-case.ts'

export const taskCases: CasesOf<typeof taskOps> = {
  taskList: {
    sent: { query: { ...project, mine: 'true', state: 'ended' } },
    rule: on('list_children', 'project'),
    allowed: () => ['/ext/v1/tasks?project=atlas'],
  },
  systemTaskList: {
    sent: { query: { state: 'open' } },
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/ext/v1/system/tasks'],
  },
  taskView: {
    sent: { path: { task_id: id } },
    rule: 'member',
    missing: true,
    allowed: () => [`/ext/v1/tasks/${id}`],
  },
}
