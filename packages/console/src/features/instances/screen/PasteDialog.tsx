import { useEffect, useState } from 'react'
import { Button } from '#/ui/Button.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { TextArea } from '#/ui/inputs/TextInput.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { type Press, pressesOf, typedMax } from './us-keys.ts'

interface Props {
  instance: string
  onType: (keys: Press[]) => void
  onClose: () => void
}

/** A text to type on the instance, which has no clipboard that a text could be pasted into. */
export function PasteDialog({ instance, onType, onClose }: Props) {
  const [text, setText] = useState('')
  useEffect(() => {
    let isOpen = true
    // Needs a secure origin and the user's consent; the browser's own paste always works.
    void navigator.clipboard
      ?.readText()
      .then((copied) => {
        if (isOpen) setText((typed) => typed || copied)
      })
      .catch(() => undefined)
    return () => {
      isOpen = false
    }
  }, [])
  const { presses, missing, tooMany } = pressesOf(text)
  return (
    <Dialog
      title="Paste as typing"
      onRequestClose={onClose}
      footer={
        <>
          <Button size="lg" onClick={onClose}>
            Cancel
          </Button>
          <Button
            size="lg"
            kind="primary"
            disabledReason={presses.length === 0 ? 'Enter a text first' : undefined}
            onClick={() => onType(presses)}
          >
            Type {presses.length} {presses.length === 1 ? 'key' : 'keys'}
          </Button>
        </>
      }
    >
      <p id="paste-how">
        Types this text on <strong>{instance}</strong> as on a US keyboard, so the instance must use the US
        layout. At most {typedMax} characters.
      </p>
      <TextArea
        aria-label="Text"
        aria-describedby="paste-how"
        mono
        rows={6}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {missing.length > 0 && (
        <Note>
          A US keyboard has no key for {missing.slice(0, 10).join(' ')}
          {missing.length > 10 ? ' and others' : ''}. They are left out.
        </Note>
      )}
      {tooMany > 0 && <Note>The last {tooMany} characters are too many, and are left out.</Note>}
    </Dialog>
  )
}
