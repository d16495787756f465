import type { ReactNode } from 'react'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import { PageHead } from '../list/ListPage.tsx'
import { ObjectActions } from './ObjectActions.tsx'

interface Props {
  title: string
  docs: ReactNode
  /** As in `VPC actions`. */
  kind: string
  menu: () => readonly MenuEntry[]
  /** Beside the title: a state that must not be missed. */
  state?: ReactNode
  /** Buttons before the menu. */
  actions?: ReactNode
  /** The object's fields, above its contents. */
  plate: ReactNode
  children: ReactNode
}

/** The page of one object: name, menu, fields and contents. */
export function ResourcePage({ title, docs, kind, menu, state, actions, plate, children }: Props) {
  return (
    <>
      <PageHead
        title={title}
        docs={docs}
        state={state}
        actions={
          <>
            {actions}
            <ObjectActions title={title} label={`${kind} actions`} entries={menu} />
          </>
        }
      />
      {plate}
      {children}
    </>
  )
}
