/** For users who notice at the second step that they used another user's name. */
export const BackToPassword = ({ onBack }: { onBack: () => void }) => (
  <p className="text-sm">
    <button type="button" className="link" onClick={onBack}>
      Sign in as someone else
    </button>
  </p>
)
