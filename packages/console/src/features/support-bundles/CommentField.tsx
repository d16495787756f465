import { bundleCommentProblem } from '@gantry/api/support-bundle.rules'
import { TextField } from '#/features/common/forms/fields.tsx'

/** What the bundle is for; support reads it too. */
export const CommentField = () => (
  <TextField
    name="comment"
    optional
    multiline
    hint="Shown in the list of bundles. It is not part of the archive."
    problem={bundleCommentProblem}
  />
)
