import { useQuery } from '@tanstack/react-query'
import { Foot } from '#/kit/list/foot.tsx'
import { openTasks } from './panel-queries.ts'
import { hasTasks, useTasksInterval } from './queries.ts'
import { PageTaskList } from './PageTaskList.tsx'

/** The tasks in progress of one object, at the foot of its own page, which stays where it is. */
export function ObjectTask({ project, id }: { project: string; id: string }) {
  const { data } = useQuery({
    ...openTasks({ isMine: false, place: { project } }),
    refetchInterval: useTasksInterval('in full'),
  })
  const own = data?.items.filter(({ object }) => object.id === id) ?? []
  if (own.length === 0 || !hasTasks()) return null
  return (
    <Foot>
      <PageTaskList tasks={own} />
    </Foot>
  )
}
