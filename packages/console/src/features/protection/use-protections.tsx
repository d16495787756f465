import type { ProtectedAction, ProtectedKind } from '@gantry/api/history/protection.rules'
import { useQuery } from '@tanstack/react-query'
import Lock from 'lucide-react/icons/lock'
import LockOpen from 'lucide-react/icons/lock-open'
import { type ReactNode, useState } from 'react'
import { usePolling } from '#/data/live.ts'
import { readAgain } from '#/data/queries.ts'
import type { RowAction } from '#/kit/list/row-menu.tsx'
import { pollSlowly } from '#/kit/page/poll-while.ts'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { type Protection, protectionsIn } from './queries.ts'
import { whyProtected } from './words.ts'

const ProtectDialog = lazyPart(() => import('./ProtectionDialogs.tsx'), 'ProtectDialog')
const TakeOffDialog = lazyPart(() => import('./ProtectionDialogs.tsx'), 'TakeOffDialog')

interface Protectable {
  id: string
  name: string
}

interface Opened {
  object: Protectable
  /** As it is when the dialog opens. */
  protection: Protection | undefined
  takesOff?: true
}

interface Protections {
  /** Why the object's protection does not allow an action. */
  whyNot: (id: string, action: ProtectedAction) => string | undefined
  /** Entries that protect the object; none on servers that cannot. `whyNot` is why the user may not. */
  actionsFor: (object: Protectable, whyNot: string | undefined) => RowAction[]
  /** To render on the page. */
  dialog: ReactNode
}

/** The protections of a kind in a project, or in the silo, by one request for all of them. */
export function useProtections(kind: ProtectedKind, project?: string): Protections {
  const isServed = useHasExtensions()
  const byId = useProtectionsById(project)
  const [opened, setOpened] = useState<Opened>()

  const close = () => setOpened(undefined)
  const dialog =
    opened &&
    (opened.takesOff ? (
      <TakeOffDialog {...opened} kind={kind} onClose={close} />
    ) : (
      <ProtectDialog {...opened} kind={kind} onClose={close} />
    ))
  return {
    whyNot: (id, action) => whyProtected(byId.get(id), action),
    actionsFor: (object, disabled) => {
      if (!isServed) return []
      const protection = byId.get(object.id)
      const set: RowAction = {
        label: protection ? 'Change protection' : 'Protect',
        icon: <Lock aria-hidden strokeWidth={1.75} />,
        disabled,
        onSelect: () => setOpened({ object, protection }),
      }
      if (!protection) return [set]
      const takeOff: RowAction = {
        label: 'Take protection off',
        icon: <LockOpen aria-hidden strokeWidth={1.75} />,
        disabled,
        onSelect: () => setOpened({ object, protection, takesOff: true }),
      }
      return [set, takeOff]
    },
    dialog,
  }
}

const unprotected: ReadonlyMap<string, Protection> = new Map()
/** One map for nothing, so that an answer without any renders nothing again. */
const keyed = (protections: readonly Protection[]): ReadonlyMap<string, Protection> =>
  protections.length === 0
    ? unprotected
    : new Map(protections.map((protection) => [protection.id, protection]))
const noneYet: Protection[] = []

/** Empty until they are read, and where the user may not read them: the server has the final say. */
export function useProtectionsById(project?: string): ReadonlyMap<string, Protection> {
  const polling = usePolling(pollSlowly())
  const query = protectionsIn(project)
  const { data = unprotected } = useQuery({
    ...query,
    ...readAgain,
    refetchInterval: query.refetchInterval || polling,
    placeholderData: noneYet,
    select: keyed,
  })
  return data
}
