// @chunk instance-storage: of one tab, which the other tabs of an instance do not need.
import * as op from '@gantry/api/client/operations.gen'
import { hotPlugCannot } from '@gantry/api/compute/hot-plug.rules'
import { useWhyLacking } from '#/data/fleet.ts'
import { useOp } from '#/data/use-op.ts'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import type { Disk } from '#/features/disks/queries.ts'
import { type Instance, instanceAt } from '../queries.ts'
import { whyNotInstance } from '../reasons.ts'

/** Attaching and detaching disks, also while the instance runs where its fleet and its guest can do that. */
export function useHotPlug(project: string, instance: Instance, boot: Disk | undefined) {
  const isServed = useHasExtensions()
  const whyLacking = useWhyLacking('live_disks')
  const [base, live] = [
    { attach: useOp(op.instanceDiskAttach), detach: useOp(op.instanceDiskDetach) },
    { attach: useOp(op.instanceDiskHotAttach), detach: useOp(op.instanceDiskHotDetach) },
  ]
  const runs = instance.runState === 'running'
  const cannot = whyLacking ?? (boot?.hardware?.diskModel === 'sata' ? hotPlugCannot.sata : undefined)
  const isLive = isServed && runs && !cannot
  const why = (what: 'attachDisk' | 'detachDisk') =>
    isLive
      ? undefined
      : isServed && runs
        ? `${cannot}. Stop the instance first.`
        : whyNotInstance(what, instance.runState)
  const exchange = isLive ? live : base
  const input = (disk: string) => ({ ...instanceAt(project, instance.name), body: { disk } })
  return {
    isLive,
    whyNotAttach: why('attachDisk'),
    whyNotDetach: why('detachDisk'),
    attachOp: isLive ? op.instanceDiskHotAttach : op.instanceDiskAttach,
    attach: (disk: string) => exchange.attach.run(input(disk)),
    detach: (disk: string) => exchange.detach.run(input(disk)),
  }
}
export type HotPlug = ReturnType<typeof useHotPlug>

/** What has become of a disk, whose guest may take its time. */
export const exchangedWord = ({ state }: Pick<Disk, 'state'>): string =>
  state.state === 'detaching'
    ? 'is being detached: its guest has not released it yet'
    : state.state === 'attaching'
      ? 'is being attached'
      : state.state
