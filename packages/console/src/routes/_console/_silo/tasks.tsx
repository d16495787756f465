import { createFileRoute } from '@tanstack/react-router'
import { allTasks } from '#/features/tasks/all-queries.ts'
import { tasksSearch } from '#/features/tasks/tasks-search.ts'
import { TasksPage } from '#/features/tasks/TasksPage.tsx'
import { loadList } from '#/kit/page/loaders.ts'

export const Route = createFileRoute('/_console/_silo/tasks')({
  validateSearch: tasksSearch,
  loader: (visit) => loadList(visit, allTasks(tasksSearch(visit.location.search))),
  staticData: { crumb: { label: 'Tasks', to: '/tasks' } },
  component: Tasks,
})

function Tasks() {
  return <TasksPage search={Route.useSearch()} />
}
