// @chunk apart: of instances whose machine has ended, below what their pages show first.
import * as op from '@gantry/api/client/operations.gen'
import { lastOutputBytes } from '@gantry/api/compute/last-output.rules'
import { useQuery } from '@tanstack/react-query'
import { opQuery } from '#/data/queries.ts'
import { Button } from '#/ui/Button.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { Size } from '#/ui/data/Figures.tsx'
import { saveFile } from '#/ui/save-file.ts'
import { instanceAt } from '../queries.ts'

interface Props {
  project: string
  instance: string
}

/** The serial log of the last machine that has ended, also while another one runs. */
export function LastLog({ project, instance }: Props) {
  const { data } = useQuery(opQuery(op.instanceLastOutputView, instanceAt(project, instance)))
  const output = data?.output
  if (!output) return null
  const bytes = (): Uint8Array<ArrayBuffer> =>
    Uint8Array.from(atob(output.data), (char) => char.charCodeAt(0))
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-muted">
      <p className="min-w-0 grow">
        The instance last ended <DateTime value={output.time} />. The last <Size bytes={lastOutputBytes} /> of
        its log are kept until it ends again or is deleted.
      </p>
      <Button onClick={() => saveFile(`${instance}-last.log`, new Blob([bytes()], { type: 'text/plain' }))}>
        Download last log
      </Button>
    </div>
  )
}
