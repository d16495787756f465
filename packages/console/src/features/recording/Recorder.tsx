import CircleDot from 'lucide-react/icons/circle-dot'
import FileCode from 'lucide-react/icons/file-code'
import { useState } from 'react'
import { discardRecording, readRecording, resumeRecording, stepRecording } from '#/data/recording/recorder.ts'
import { recordingLabels } from '#/data/recording/labels.ts'
import { recording } from '#/data/recording/recording.ts'
import { useStore } from '#/store.ts'
import { Button } from '#/ui/Button.tsx'
import { Tooltip } from '#/ui/overlays/Tooltip.tsx'
import { RecordedDialog } from './RecordedDialog.tsx'

/** The mark in the beam while this tab records, or keeps what it recorded; and that as code. */
export function Recorder() {
  const state = useStore(recording)
  const isOn = state === 'on'
  const Icon = isOn ? CircleDot : FileCode
  return (
    <>
      <Tooltip
        content={isOn ? 'What you change in this tab is recorded. Press to stop.' : recordingLabels.stopped}
      >
        <button
          type="button"
          aria-label={recordingLabels[state]}
          className="wash flex h-8 items-center gap-1.5 rounded-control px-2 text-sm coarse:h-11 max-md:size-11 max-md:justify-center max-md:p-0"
          onClick={stepRecording}
        >
          <Icon aria-hidden strokeWidth={1.75} className={`size-4 ${isOn ? 'text-danger' : ''}`} />
          <span className="max-md:sr-only">{isOn ? 'Recording' : 'Recorded'}</span>
        </button>
      </Tooltip>
      {state === 'shown' && <Result />}
    </>
  )
}

/** What was recorded. Closing keeps it until it is discarded. */
function Result() {
  const [{ steps, known, missing }] = useState(readRecording)
  const count = steps.length === 1 ? '1 request' : `${steps.length} requests`
  return (
    <RecordedDialog
      title={`Recorded: ${count}`}
      steps={steps}
      known={known}
      empty="Nothing was changed while this tab recorded."
      note={missing > 0 && `The recording was full: ${missing} more requests are not in it. `}
      buttons={
        <>
          <Button size="lg" kind="quiet" className="mr-auto" onClick={discardRecording}>
            Discard
          </Button>
          <Button size="lg" onClick={resumeRecording}>
            Continue recording
          </Button>
        </>
      }
      onClose={() => recording.set('stopped')}
    />
  )
}
