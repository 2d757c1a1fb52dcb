"""Which response document is which key document, and where its words stand in the key's."""
