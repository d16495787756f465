import { useQuery } from '@tanstack/react-query'
import { useFormContext, useWatch } from 'react-hook-form'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { instanceLink } from '../../links.ts'
import { instanceView } from '../../queries.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { RadioGroup } from '#/ui/inputs/Radio.tsx'
import { copiedDisks, type InstanceValues, queuedName } from '../values.ts'
import type { DiskChoice } from './clone-disks.ts'
import type { Clone } from './clone-values.ts'

interface Props {
  project: string
  instance: string
  clone: Clone
  /** The boot source, if the clone leaves the choice to the user. */
  bootSource: InstanceValues['bootSource']
}

const choices = [
  { value: 'copy', label: 'Copy the data of all disks' },
  { value: 'fresh', label: 'Begin with fresh disks' },
] as const

/** The note above a form filled from another instance: copied data and missing settings. */
export function CloneNote({ project, instance, clone, bootSource }: Props) {
  const { disks, notCopied } = clone
  const { getValues, setValue } = useFormContext<InstanceValues>()
  const copied = useCopied()
  const isCopied = (id: string) => copied.some((disk) => disk.id === id)
  const selected = disks.copyable.every(({ id }) => isCopied(id))
    ? 'copy'
    : copied.length === 0
      ? 'fresh'
      : undefined
  const missing = [...disks.missing].flatMap(([id, text]) => (isCopied(id) ? [] : [text]))

  function choose(choice: DiskChoice): void {
    setValue('bootSource', choice.bootSource ?? bootSource, { shouldDirty: true })
    const cloned = new Set([...disks.copy.disks, ...disks.fresh.disks].map(queuedName))
    const added = getValues('disks').filter((disk) => !cloned.has(queuedName(disk)))
    setValue('disks', [...choice.disks, ...added], { shouldDirty: true })
  }

  return (
    <Note
      className="mb-4 max-w-form"
      title={
        <>
          Prefilled from{' '}
          <PageLink {...instanceLink(project, instance)} className="link">
            {instance}
          </PageLink>
        </>
      }
    >
      {disks.copyable.length > 0 && (
        <div className="py-1">
          <RadioGroup
            label="Data of disks"
            options={choices}
            value={selected}
            onChange={(next) => choose(disks[next])}
          />
          {copied.length > 0 && <CopyMoment project={project} instance={instance} />}
        </div>
      )}
      <p>Not copied:</p>
      <ul className="list-disc pl-5">
        {[...missing, ...notCopied].map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </Note>
  )
}

function useCopied() {
  const [bootSource, bootCopy, disks] = useWatch<InstanceValues, ['bootSource', 'bootCopy', 'disks']>({
    name: ['bootSource', 'bootCopy', 'disks'],
  })
  return copiedDisks({ bootSource, bootCopy, disks })
}

/** Reads the current state, because the instance can be stopped while the form is open. */
function CopyMoment({ project, instance }: Pick<Props, 'project' | 'instance'>) {
  const { data: source } = useQuery(instanceView(project, instance))
  return (
    <p>
      A snapshot of each disk is taken when you create the instance, and deleted once the new disks exist.
      {source && source.runState !== 'stopped' && (
        <>
          {' '}
          {instance} is not stopped, so the copy holds what is on its disks at that moment, as after a power
          cut. For a clean copy, stop it first.
        </>
      )}
    </p>
  )
}
