import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { externalSubnetView } from '#/features/addresses/external-subnets/queries.ts'
import { useExternalSubnetRowActions } from '#/features/addresses/external-subnets/use-external-subnet-row-actions.tsx'
import { floatingIpView } from '#/features/addresses/floating-ips/queries.ts'
import { useFloatingIpRowActions } from '#/features/addresses/floating-ips/use-floating-ip-row-actions.tsx'
import { useHolders } from '#/features/addresses/holders.ts'
import { instanceView } from '#/features/instances/queries.ts'
import { menuOf, useInstanceActions } from '#/features/instances/use-instance-actions.tsx'
import { useVpcRowActions } from '#/features/vpcs/parts.tsx'
import { vpcView } from '#/features/vpcs/queries.ts'
import { type ActionsOf, rowMenu } from '#/kit/list/row-menu.tsx'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import { focusItem, Menu, type MenuEntry, moveInMenu } from '#/ui/overlays/Menu.tsx'
import { Modal } from '#/ui/overlays/Modal.tsx'
import type { FoundObject } from './found-object.ts'

/** The menu of an object, wherever it is: what its row in its list has. */
export function FoundActions({ object }: { object: FoundObject }) {
  const [isOpen, setOpen] = useState(true)
  const Actions = parts[object.kind]
  return <Actions object={object} isOpen={isOpen} close={() => setOpen(false)} />
}

interface Props {
  object: FoundObject
  isOpen: boolean
  close: () => void
}

const noneHeld: readonly { instanceId?: string | null }[] = []

/** As of its row; undefined while it is read. */
const entriesOf = <Row extends { id: string }>(
  row: Row | undefined,
  actions: ActionsOf<Row>,
): readonly MenuEntry[] | undefined => row && rowMenu(row.id, 'Copy ID', actions(row))

const parts = {
  instance: function InstanceActions({ object, ...rest }: Props) {
    const { data } = useQuery(instanceView(object.project, object.name))
    const { actionsOf, dialog } = useInstanceActions(object.project, { linksToInstance: true })
    const entries = entriesOf(data, (instance) => menuOf(actionsOf(instance)))
    return <ActionMenu object={object} entries={entries} dialog={dialog} {...rest} />
  },
  vpc: function VpcActions({ object, ...rest }: Props) {
    const { data } = useQuery(vpcView(object.project, object.name))
    const { actions, dialog } = useVpcRowActions(object.project)
    return <ActionMenu object={object} entries={entriesOf(data, actions)} dialog={dialog} {...rest} />
  },
  'floating-ip': function FloatingIpActions({ object, ...rest }: Props) {
    const { data } = useQuery(floatingIpView(object.project, object.name))
    const holders = useHolders(object.project, data ? [data] : noneHeld)
    const { actions, dialog } = useFloatingIpRowActions(object.project, holders)
    return <ActionMenu object={object} entries={entriesOf(data, actions)} dialog={dialog} {...rest} />
  },
  'external-subnet': function ExternalSubnetActions({ object, ...rest }: Props) {
    const { data } = useQuery(externalSubnetView(object.project, object.name))
    const holders = useHolders(object.project, data ? [data] : noneHeld)
    const { actions, dialog } = useExternalSubnetRowActions(object.project, holders)
    return <ActionMenu object={object} entries={entriesOf(data, actions)} dialog={dialog} {...rest} />
  },
}

/** The dialogs of the actions stay when the menu has closed. */
function ActionMenu({
  object,
  entries,
  dialog,
  isOpen,
  close,
}: Props & { entries: readonly MenuEntry[] | undefined; dialog: ReactNode }) {
  return (
    <>
      {isOpen && (
        <Modal
          aria-label={`Actions of ${object.name}`}
          onRequestClose={close}
          className="mx-auto mt-[14vh] mb-0 w-[min(24rem,calc(100vw-2rem))] overflow-hidden rounded-float bg-float text-text shadow-dialog outline-none forced:border"
        >
          <p className="border-b border-line px-4 py-3 text-strong">
            {object.name} <span className="text-sm text-muted">{object.project}</span>
          </p>
          {entries ? (
            <Items label={`Actions of ${object.name}`} entries={entries} onDone={close} />
          ) : (
            <p className="p-4">
              <Spinner />
            </p>
          )}
        </Modal>
      )}
      {dialog}
    </>
  )
}

function Items({
  label,
  entries,
  onDone,
}: {
  label: string
  entries: readonly MenuEntry[]
  onDone: () => void
}) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => void (box.current && focusItem(box.current, 'first')), [])
  return (
    <div
      ref={box}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={(event) => {
        if (moveInMenu(event)) event.preventDefault()
      }}
      className="max-h-96 overflow-y-auto p-1 text-sm"
    >
      <Menu entries={entries} onDone={onDone} />
    </div>
  )
}
