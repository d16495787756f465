import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { isShown, pageObject, tasksScopeOf } from './page-object.ts'
import { pageTasks, type TaskScope } from './panel-queries.ts'
import { hasTasks, useTasksInterval } from './queries.ts'

const PageTaskList = lazyPart(() => import('./PageTaskList.tsx'), 'PageTaskList')

/** The page goes first. */
const afterMs = 1500

const nowhere: TaskScope = { isMine: true, place: 'everywhere' }

/** The tasks in progress of the object of this page that its state does not tell of, such as its deletion. */
export function PageTasks({ path }: { path: string }) {
  const [shownPath, setShownPath] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setShownPath(path), afterMs)
    return () => clearTimeout(timer)
  }, [path])
  const object = pageObject(path)
  const scope = object && tasksScopeOf(object)
  const isAsked = scope !== undefined && shownPath === path && hasTasks()
  const { data } = useQuery({
    ...pageTasks(scope ?? nowhere),
    enabled: isAsked,
    refetchInterval: useTasksInterval('in full'),
  })
  const own = object && isAsked ? (data?.items.filter(isShown(object)) ?? []) : []
  return own.length > 0 && <PageTaskList tasks={own} />
}
