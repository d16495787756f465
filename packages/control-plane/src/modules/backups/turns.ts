import { type Repeat, repeatIn } from '../../change/define-job.ts'
import { onceEach } from '../../context/once-each.ts'
import type { Services } from '../../context/services.ts'

/** How often work that waits looks for its turn. */
export const waitMs = 2000

/** The project of each piece of work in this process. */
const worksOf = onceEach((_services: Services) => new Map<string, string>())

/** Only a few run at once, and half of them for one project; the others wait without occupying a job slot. */
export async function inTurn(
  services: Services,
  { id, project_id }: { id: string; project_id: string },
  work: () => Promise<Repeat | undefined>,
): Promise<Repeat | undefined> {
  const works = worksOf(services)
  const { at_once } = services.settings.backups
  const own = [...works.values()].filter((project) => project === project_id).length
  if (works.has(id) || works.size >= at_once || own >= Math.ceil(at_once / 2)) return repeatIn(waitMs)
  works.set(id, project_id)
  try {
    return await work()
  } finally {
    works.delete(id)
  }
}
