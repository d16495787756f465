import { GiB } from '@gantry/api/bytes.rules'
import * as op from '@gantry/api/client/operations.gen'
import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { opQuery } from '#/data/queries.ts'
import { instanceAt } from '../queries.ts'
import { useVerdict } from './use-verdict.ts'
import { VerdictNote } from './VerdictNote.tsx'

interface Props {
  project: string
  instance: string
}

interface Values {
  ncpus: number | null
  memory: number | null
}

const ids = (page: { items: { id: string }[] } | undefined): string[] => page?.items.map(({ id }) => id) ?? []

/** Whether the stopped instance could start in the dialog's size. */
export function ResizeVerdict({ project, instance }: Props) {
  const { ncpus, memory } = useWatch<Values>() as Values
  const at = instanceAt(project, instance)
  const allAt = { ...at, query: { ...at.query, limit: 1000 } }
  const { data: affinity } = useQuery(opQuery(op.instanceAffinityGroupList, allAt))
  const { data: antiAffinity } = useQuery(opQuery(op.instanceAntiAffinityGroupList, allAt))
  const verdict = useVerdict(
    project,
    {
      ncpus: ncpus ?? 0,
      memory: (memory ?? 0) * GiB,
      affinityGroups: ids(affinity),
      antiAffinityGroups: ids(antiAffinity),
    },
    { storage: 0, start: false },
  )
  return <VerdictNote verdict={verdict} />
}
