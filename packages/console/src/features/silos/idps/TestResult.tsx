import { RolesCard } from '#/features/people/RolesCard.tsx'
import { DataItem, DataPlate } from '#/ui/DataPlate.tsx'
import { ErrorNote } from '#/ui/Note.tsx'
import { Tag } from '#/ui/Tag.tsx'
import type { Accepted, SignInTest } from './queries.ts'

interface Props {
  silo: string
  result: NonNullable<SignInTest['result']>
}

/** The result of a test: the user with their groups and roles, or why the sign-in would fail. */
export function TestResult({ silo, result }: Props) {
  if (result.outcome === 'refused')
    return <ErrorNote title="The sign-in would be refused" errors={[result.message]} />
  return (
    <div role="status" className="space-y-3">
      <p>The sign-in would be accepted.</p>
      <DataPlate narrow>
        <DataItem label="User" wide>
          {result.subject}
          <Tag>{result.userExists ? 'Exists' : 'Would be created'}</Tag>
        </DataItem>
        <DataItem label="Groups" wide>
          {result.groups.length === 0 && <span className="text-muted">No groups</span>}
          {result.groups.map(({ displayName, exists }) => (
            <Tag key={displayName}>{exists ? displayName : `${displayName} (would be created)`}</Tag>
          ))}
        </DataItem>
        <Attributes attributes={result.attributes} />
      </DataPlate>
      <RolesCard roles={result.roles} silo={silo} />
    </div>
  )
}

const Attributes = ({ attributes }: Pick<Accepted, 'attributes'>) =>
  attributes.map(({ name, values }) => (
    <DataItem key={name} label={`Attribute ${name}`} wide>
      {values.join(', ')}
    </DataItem>
  ))
