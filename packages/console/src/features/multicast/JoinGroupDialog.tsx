import * as op from '@gantry/api/client/operations.gen'
import { isIp } from '@gantry/api/base/ip.rules'
import { nameProblem } from '@gantry/api/base/name.rules'
import { maxSources, sourceProblem } from '@gantry/api/network/multicast-group.rules'
import { useOp } from '#/data/use-op.ts'
import { RadioField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { TextField } from '#/kit/forms/fields.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { groupsAt } from './queries.ts'

const versions = [
  { value: 'any', label: 'Whichever the silo has' },
  { value: 'v4', label: 'IPv4' },
  { value: 'v6', label: 'IPv6' },
] as const

interface Props {
  project: string
  instance: string
  onClose: () => void
}

/** Joins a group, which comes into being with its first member. */
export function JoinGroupDialog({ project, instance, onClose }: Props) {
  const join = useOp(op.instanceMulticastGroupJoin)
  const { path, query } = groupsAt(project, instance)
  return (
    <DialogForm
      title="Join multicast group"
      submitLabel="Join"
      pendingLabel="Joining"
      initial={{ group: '', sources: '', version: 'any' }}
      save={({ group, sources, version }) => {
        const sourceIps = addressesIn(sources)
        return join.run({
          path: { ...path, multicastGroup: group.trim() },
          query,
          body: {
            ...(sourceIps.length > 0 && { sourceIps }),
            ...((version === 'v4' || version === 'v6') && { ipVersion: version }),
          },
        })
      }}
      saved={({ name }) => `${instance} joined ${name}`}
      onClose={onClose}
    >
      <Note>
        A group is created with its first member. A name is given a free address of the silo's multicast
        pools.
      </Note>
      <TextField name="group" label="Group" hint="A name, or a multicast address" problem={groupProblem} />
      <TextField
        name="sources"
        label="Sources"
        hint="Addresses to hear from, one per line; empty for all"
        optional
        mono
        multiline
        problem={sourcesProblem}
      />
      <RadioField name="version" label="Address of a new group" options={versions} />
    </DialogForm>
  )
}

const addressesIn = (text: string): string[] => text.split(/[\s,]+/).filter((each) => each !== '')

const groupProblem = (text: string): string | undefined =>
  isIp(text.trim()) ? undefined : nameProblem(text.trim())

function sourcesProblem(text: string): string | undefined {
  const all = addressesIn(text)
  if (all.length > maxSources) return `At most ${maxSources} addresses`
  for (const address of all) {
    const problem = sourceProblem(address)
    if (problem) return `${address}: ${problem}`
  }
  return undefined
}
