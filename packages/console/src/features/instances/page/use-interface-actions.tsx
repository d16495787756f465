// @chunk instance-networking: of one tab, which the other tabs of an instance do not need.
import { addressesOf, transitIpsOf } from '@gantry/api/network/interface-addresses.rules'
import * as op from '@gantry/api/client/operations.gen'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import Copy from 'lucide-react/icons/copy'
import Pencil from 'lucide-react/icons/pencil'
import Star from 'lucide-react/icons/star'
import Trash2 from 'lucide-react/icons/trash-2'
import { call } from '#/data/client.ts'
import { asFailure } from '#/data/failure.ts'
import { etagOf, readAfter } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import { copyText } from '#/ui/copy-text.ts'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { interfaceById, type NetworkInterface } from '#/features/addresses/queries.ts'
import { whyNotDeleteInterface, whyNotPrimary } from '#/features/addresses/reasons.ts'
import type { Instance } from '../queries.ts'
import { whyNotInstance } from '../reasons.ts'

interface Options {
  project: string
  instance: Instance
  all: readonly NetworkInterface[]
  onEdit: (id: string) => void
}

export function useInterfaceActions({ project, instance, all, onEdit }: Options) {
  const queryClient = useQueryClient()
  const whyNotAllowed = useWhyNotInProject(project)
  const remove = useOp(op.instanceNetworkInterfaceDelete)
  const { runState } = instance

  async function promote({ id, name }: NetworkInterface): Promise<void> {
    try {
      await makePrimary(queryClient, id)
      toast.success(successMessage('Network interface', name, 'is now the primary one'))
    } catch (error) {
      toast.error({ title: `Could not make ${name} primary`, text: failureText(asFailure(error)) })
    }
  }

  return (one: NetworkInterface): MenuEntry[] => [
    {
      label: 'Copy ID',
      icon: <Copy aria-hidden strokeWidth={1.75} />,
      onSelect: () => void copyText(one.id),
    },
    'rule',
    {
      label: 'Make primary',
      icon: <Star aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? whyNotPrimary(one, runState),
      onSelect: () => void promote(one),
    },
    {
      label: 'Edit',
      icon: <Pencil aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? whyNotInstance('updateNetworkInterface', runState),
      onSelect: () => onEdit(one.id),
    },
    'rule',
    {
      label: 'Delete',
      icon: <Trash2 aria-hidden strokeWidth={1.75} />,
      danger: true,
      disabled: whyNotAllowed ?? whyNotDeleteInterface(one, all, runState),
      onSelect: () =>
        confirmDelete({
          kind: 'network interface',
          name: one.name,
          gone: `Its address ${addressesOf(one).join(' and ')} becomes free for others.`,
          run: () => remove.run({ path: { interface: one.id }, query: {} }),
        }),
    },
  ]
}

/** The call clears transit IPs that the body lacks, so they are read and sent along. */
async function makePrimary(queryClient: QueryClient, id: string): Promise<void> {
  const view = interfaceById(id)
  const one = await queryClient.fetchQuery({ ...view, staleTime: 0, gcTime: 0 })
  const body = { primary: true, transitIps: transitIpsOf(one) }
  const input = { path: { interface: id }, query: {}, body }
  await call(op.instanceNetworkInterfaceUpdate, input, { ifMatch: etagOf(view.queryKey) })
  await readAfter(queryClient, op.instanceNetworkInterfaceUpdate)
}
