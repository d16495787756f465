// @chunk apart: few instances have changes that wait.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { asFailure } from '#/data/failure.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { Button } from '#/ui/Button.tsx'
import { formatMemory } from '#/ui/data/format.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { choiceWords } from '../hardware/choice-words.ts'
import { updatePending } from '../pending.ts'
import { type Instance, instanceDisks } from '../queries.ts'

interface Props {
  project: string
  instance: Instance
}

/** What changes with the next start, with the old and the new value; each can be taken back. */
export function PendingChanges({ project, instance }: Props) {
  const queryClient = useQueryClient()
  const whyNotAllowed = useWhyNotInProject(project)
  const { pending, name } = instance
  const { data: disks } = useQuery({
    ...instanceDisks(project, name),
    enabled: pending?.bootDiskId != null,
  })
  const nameOfDisk = (id: string | null | undefined): string =>
    id == null ? 'none' : (disks?.items.find((disk) => disk.id === id)?.name ?? 'a disk that is detached')
  const changes = [
    { field: 'ncpus', label: 'vCPUs', now: String(instance.ncpus), next: pending?.ncpus?.toString() },
    {
      field: 'memory',
      label: 'Memory',
      now: formatMemory(instance.memory),
      next: pending?.memory == null ? undefined : formatMemory(pending.memory),
    },
    {
      field: 'bootDisk',
      label: 'Boot disk',
      now: nameOfDisk(instance.bootDiskId),
      next: pending?.bootDiskId == null ? undefined : nameOfDisk(pending.bootDiskId),
    },
    {
      field: 'hardware',
      label: 'Hardware',
      now: choiceWords(instance.hardware),
      next: pending?.hardware == null ? undefined : choiceWords(pending.hardware),
    },
  ] as const
  const takeBack = async (field: (typeof changes)[number]['field'], label: string) => {
    try {
      await updatePending(queryClient, { project, instance: name }, { [field]: undefined })
      toast.success(`${label} stays as it is`)
    } catch (error) {
      toast.error({ title: 'Could not take the change back', text: failureText(asFailure(error)) })
    }
  }
  return (
    <Note title="Changes with the next start" className="mt-4">
      <ul className="space-y-1.5">
        {changes.map(
          ({ field, label, now, next }) =>
            next !== undefined && (
              <li key={field} className="flex flex-wrap items-center gap-2">
                <span>
                  {label}: {now} → <strong>{next}</strong>
                </span>
                <Button
                  disabledReason={whyNotAllowed}
                  aria-label={`Take back: ${label}`}
                  onClick={() => void takeBack(field, label)}
                >
                  Take back
                </Button>
              </li>
            ),
        )}
      </ul>
      <p>
        They take effect when a user starts the instance again, not with a reboot or an automatic restart.
      </p>
    </Note>
  )
}
