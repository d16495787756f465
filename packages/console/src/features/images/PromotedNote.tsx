import { Note } from '../../ui/Note.tsx'

export const PromotedNote = () => (
  <Note>A promoted image is visible to all projects of the silo, and disks can be made from it in each.</Note>
)
