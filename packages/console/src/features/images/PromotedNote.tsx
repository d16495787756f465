import { Note } from '#/ui/Note.tsx'

export const PromotedNote = () => (
  <Note>
    A promoted image is visible to all projects in the silo, and all of them can create disks from it.
  </Note>
)
