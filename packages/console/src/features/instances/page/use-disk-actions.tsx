// @chunk instance-storage: of one tab, which the other tabs of an instance do not need.
import { hasMachine } from '@gantry/api/system/fleet.rules'
import { useWhyLacking } from '#/data/fleet.ts'
import { diskAllows } from '@gantry/api/storage/disk.rules'
import { whyNot } from '@gantry/api/base/state.rules'
import { useQueryClient } from '@tanstack/react-query'
import Camera from 'lucide-react/icons/camera'
import Copy from 'lucide-react/icons/copy'
import Power from 'lucide-react/icons/power'
import Unplug from 'lucide-react/icons/unplug'
import { copyText } from '#/ui/copy-text.ts'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { confirmAction } from '#/kit/feedback/confirm.tsx'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import type { Disk } from '#/features/disks/queries.ts'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { whyNotCopy } from '#/features/disks/why-not-copy.ts'
import { useTakeSnapshot } from '#/features/disks/use-take-snapshot.tsx'
import type { Instance } from '../queries.ts'
import { isLater, updatePending } from '../pending.ts'
import { whyNotInstance } from '../reasons.ts'
import { updateInstance } from '../update.ts'
import { exchangedWord, type HotPlug } from './use-hot-plug.ts'

interface Options {
  project: string
  instance: Instance
  hotPlug: HotPlug
  hasBootDisk: boolean
}

/** The actions for an instance's disks: `boot` for the boot disk, `other` for the rest. */
export function useDiskActions({ project, instance, hotPlug, hasBootDisk }: Options) {
  const queryClient = useQueryClient()
  const whyNotAllowed = useWhyNotInProject(project)
  const takeSnapshot = useTakeSnapshot(project)
  const whyNotLive = useWhyLacking('live_snapshot')
  const setBootDisk = (bootDisk: string | null) =>
    updateInstance(queryClient, { project, instance: instance.name }, { bootDisk })

  const whyNotBoot = whyNotAllowed ?? whyNotInstance('updateBootDisk', instance.runState)
  const isWaiting = useHasExtensions() && isLater(instance)

  const first = (disk: Disk): MenuEntry[] => [
    {
      label: 'Copy ID',
      icon: <Copy aria-hidden strokeWidth={1.75} />,
      onSelect: () => void copyText(disk.id),
    },
    'rule',
    {
      label: 'Snapshot',
      icon: <Camera aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? whyNotCopy(disk) ?? (hasMachine(instance.runState) ? whyNotLive : undefined),
      onSelect: () => void takeSnapshot(disk),
    },
  ]

  const boot = (disk: Disk): MenuEntry[] => [
    ...first(disk),
    {
      label: 'Unset as boot disk',
      icon: <Power aria-hidden strokeWidth={1.75} />,
      disabled: whyNotBoot,
      onSelect: () =>
        confirmAction({
          title: 'Confirm unset boot disk',
          content: (
            <>
              <p>
                Are you sure you want to unset <strong>{disk.name}</strong> as the boot disk? It stays
                attached.
              </p>
              <p>A boot disk is recommended unless the boot order is managed inside the guest.</p>
            </>
          ),
          errorTitle: 'Could not unset boot disk',
          success: successMessage('Disk', disk.name, 'is no longer the boot disk'),
          run: () => setBootDisk(null),
        }),
    },
    {
      label: 'Detach',
      icon: <Unplug aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? 'The boot disk must be unset as boot disk before it can be detached',
    },
  ]

  const other = (disk: Disk): MenuEntry[] => [
    ...first(disk),
    {
      label: 'Set as boot disk',
      icon: <Power aria-hidden strokeWidth={1.75} />,
      disabled:
        (isWaiting ? whyNotAllowed : whyNotBoot) ?? whyNot(diskAllows, 'setAsBootDisk', disk.state.state),
      onSelect: () =>
        confirmAction({
          title: hasBootDisk ? 'Confirm change boot disk' : 'Confirm set boot disk',
          content: (
            <>
              <p>
                Are you sure you want to make <strong>{disk.name}</strong> the boot disk of {instance.name}?
              </p>
              {hasBootDisk && <p>The current boot disk stays attached.</p>}
              {isWaiting && <p>It takes effect with the next start of the instance.</p>}
            </>
          ),
          errorTitle: hasBootDisk ? 'Could not change boot disk' : 'Could not set boot disk',
          success: successMessage(
            'Disk',
            disk.name,
            isWaiting ? 'is the boot disk from the next start on' : 'is now the boot disk',
          ),
          run: () =>
            isWaiting
              ? updatePending(queryClient, { project, instance: instance.name }, { bootDisk: disk.id })
              : setBootDisk(disk.id),
        }),
    },
    {
      label: 'Detach',
      icon: <Unplug aria-hidden strokeWidth={1.75} />,
      disabled: whyNotAllowed ?? hotPlug.whyNotDetach ?? whyNot(diskAllows, 'detach', disk.state.state),
      onSelect: () =>
        confirmAction({
          title: 'Confirm detach disk',
          content: (
            <>
              <p>
                Are you sure you want to detach <strong>{disk.name}</strong> from {instance.name}? It keeps
                its data and stays in the project.
              </p>
              {hotPlug.isLive && (
                <p>
                  The instance runs: unmount the disk in the guest first, or what it has not written yet is
                  lost.
                </p>
              )}
            </>
          ),
          kind: 'danger',
          pendingLabel: 'Detaching',
          errorTitle: 'Could not detach disk',
          run: async () =>
            toast.success(successMessage('Disk', disk.name, exchangedWord(await hotPlug.detach(disk.name)))),
        }),
    },
  ]

  return { boot, other }
}
