// @chunk activity-log: of the accounts of all kinds of places, which no list or form needs.
import { recycledKinds } from '@gantry/api/history/recycle-bin.rules'
import Undo2 from 'lucide-react/icons/undo-2'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { buttonClass } from '#/ui/Button.tsx'
import { classes } from '#/ui/classes.ts'

const kinds: readonly string[] = recycledKinds

/** Whether an object of a kind may be in the recycle bin after its deletion. */
export const isRecycled = (kind: string): boolean => kinds.includes(kind)

interface Props {
  objectId: string
  /** The project in whose bin it is; the silo's if there is none. */
  project: string | undefined
  className?: string
}

/** Leads to a deleted object in the recycle bin, and to what restoring it would do. */
export function RestoreLink({ objectId, project, className }: Props) {
  const search = { object: objectId }
  return (
    <PageLink
      {...(project === undefined
        ? { to: '/recycle-bin', search }
        : { to: '/projects/$project/recycle-bin', params: { project }, search })}
      className={classes(buttonClass(), className)}
    >
      <Undo2 aria-hidden strokeWidth={1.75} className="-ml-0.5 size-4" />
      Restore…
    </PageLink>
  )
}
