import type { Task } from './queries.ts'
import { TaskCard } from './TaskCard.tsx'

/** Tasks of one object, below its page. */
export const PageTaskList = ({ tasks }: { tasks: readonly Task[] }) => (
  <section aria-label="Tasks of this object">
    <ul
      aria-label="In progress"
      className="border-t border-line bg-rail last:*:border-0 md:px-[calc(var(--gutter)-1rem)]"
    >
      {tasks.map((task) => (
        <TaskCard key={task.id} task={task} showsWho />
      ))}
    </ul>
  </section>
)
