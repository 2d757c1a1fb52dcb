"""The workbench: documents annotated, scored after every edit, adjudicated and resolved, in a browser."""
