import { Note } from '../../../ui/Note.tsx'
import { PathLink } from '../../common/PathLink.tsx'
import { instancePaths } from '../queries.ts'

interface Props {
  project: string
  instance: string
  left: readonly string[]
}

/** Above a form that was filled with the settings of another instance: what is not in it. */
export function CloneNote({ project, instance, left }: Props) {
  return (
    <Note
      className="mb-4 max-w-form"
      title={
        <>
          Prefilled from{' '}
          <PathLink to={instancePaths.storage(project, instance)} className="link">
            {instance}
          </PathLink>
        </>
      }
    >
      <p>Not copied:</p>
      <ul className="list-disc pl-5">
        {left.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </Note>
  )
}
