import { implement } from '../../pipeline/implement.ts'
import { listSystemTasks, listTasks, viewTask } from './tasks.ts'

export const tasksHttp = implement({
  taskList: (cx, { query }) => listTasks(cx, query),
  systemTaskList: (cx, { query }) => listSystemTasks(cx, query),
  taskView: (cx, { path }) => viewTask(cx, path.task_id),
})
